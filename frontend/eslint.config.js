import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Arrows go app -> features -> shared; this is what holds them. */
const below = (group, message) => ({
  "no-restricted-imports": ["error", { patterns: [{ group, message }] }],
});

export default tseslint.config(
  { ignores: ["node_modules", ".build", "src/api/**", "dist"] },
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Nothing a server or a node said is rendered as HTML.",
        },
        {
          selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
          message: "No HTML from strings.",
        },
      ],
      "no-eval": "error",
      "no-new-func": "error",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  { files: ["src/features/**"], rules: below(["@/app/*", "**/app/*"], "features know nothing of app") },
  {
    files: ["src/shared/**"],
    rules: below(["@/app/*", "@/features/*", "**/features/*"], "shared knows nothing of features and app"),
  },
);
