import React from "react";

/** One line of the display, with an anchor of its own: links lead to `#display-e3`. */
export default function Reading({ code, children }) {
  return (
    <div id={`display-${code.toLowerCase()}`}>
      <strong>{code}</strong> {children}
    </div>
  );
}
