import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["lib/", "node_modules/", "*.mjs", "test/*.mjs", "**/*.d.ts"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
      "max-lines": ["error", 250],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-floating-promises": "off",
      "max-lines-per-function": "off",
    },
  },
);
