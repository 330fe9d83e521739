import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["trueref_widget/", "node_modules/", "*.mjs", "test/*.mjs"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
      "max-lines": ["error", 250],
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Build elements; text never becomes markup." },
        { property: "outerHTML", message: "Build elements; text never becomes markup." },
        { property: "insertAdjacentHTML", message: "Build elements; text never becomes markup." },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-floating-promises": "off",
      "max-lines-per-function": "off",
      "no-restricted-properties": "off",
    },
  },
);
