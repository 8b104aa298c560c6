import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  InputWrapper,
  Loader,
  Menu,
  Modal,
  type MantineColorsTuple,
  Select,
  Tooltip,
} from "@mantine/core";

const accent: MantineColorsTuple = [
  "#EFF4FF",
  "#DBE6FE",
  "#BFD3FE",
  "#93B4FD",
  "#6F9BF9",
  "#4A80F2",
  "#2563EB",
  "#1D4FD0",
  "#1E40AF",
  "#1E3A8A",
];
const gray: MantineColorsTuple = [
  "#F7F8FA",
  "#F1F3F6",
  "#E5E8EC",
  "#E5E8EC",
  "#868F9D",
  "#6B7482",
  "#5B6472",
  "#414957",
  "#272E3A",
  "#111827",
];
const dark: MantineColorsTuple = [
  "#F3F5F8",
  "#D6DBE3",
  "#A9B2C0",
  "#8791A1",
  "#2C3547",
  "#232C3C",
  "#1C2433",
  "#141B29",
  "#0F1622",
  "#0A101A",
];
const red: MantineColorsTuple = [
  "#FEF2F2",
  "#FDE3E3",
  "#FBCACA",
  "#F6A5A5",
  "#F08A8A",
  "#E05252",
  "#B91C1C",
  "#B91C1C",
  "#991B1B",
  "#7F1D1D",
];
const green: MantineColorsTuple = [
  "#F0FDF4",
  "#DDF7E5",
  "#BBEBCB",
  "#86D9A3",
  "#4CC37A",
  "#22A554",
  "#15803D",
  "#15803D",
  "#166534",
  "#14532D",
];

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, gray, dark, red, green },
  black: "#111827",
  white: "#FFFFFF",
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace',
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "18px", md: "20px", lg: "24px", xl: "28px" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "16px" },
  defaultRadius: "sm",
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "16px", lineHeight: "24px" },
      h3: { fontSize: "14px", lineHeight: "20px" },
    },
  },
  respectReducedMotion: true,
  components: {
    Input: Input.extend({
      vars: (_, props) => ({
        wrapper: !props.size || props.size === "sm" ? { "--input-height": "32px", "--input-fz": "13px" } : {},
      }),
    }),
    InputWrapper: InputWrapper.extend({
      vars: () => ({
        label: {},
        success: {},
        description: { "--input-description-size": "12px" },
        error: { "--input-error-size": "12px" },
      }),
    }),
    Button: Button.extend({
      vars: (_, props) => ({
        root:
          !props.size || props.size === "sm"
            ? { "--button-height": "32px", "--button-fz": "13px", "--button-padding-x": "12px" }
            : {},
      }),
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        transitionProps: { duration: 180, transition: "fade" },
        overlayProps: { backgroundOpacity: 0.4 },
      },
    }),
    Menu: Menu.extend({
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: "md",
        position: "bottom-end",
        transitionProps: { duration: 120 },
      },
    }),
    Select: Select.extend({
      defaultProps: {
        allowDeselect: false,
        checkIconPosition: "right",
        comboboxProps: { shadow: "md", transitionProps: { duration: 120 } },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        openDelay: 350,
        transitionProps: { duration: 120 },
        events: { hover: true, focus: true, touch: false },
      },
    }),
    Loader: Loader.extend({ defaultProps: { type: "oval", size: 18 } }),
  },
});

/** Controls are drawn with a contrast of at least 3:1, text with 4.5:1, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-default-border": "#868F9D",
    "--mantine-color-placeholder": "#6B7482",
    "--mantine-color-error": "#B91C1C",
    "--mantine-color-anchor": "#2563EB",
  },
  dark: {
    "--mantine-color-default-border": "#647086",
    "--mantine-color-placeholder": "#8F99A9",
    "--mantine-color-error": "#F6A5A5",
    "--mantine-color-anchor": "#93B4FD",
    "--mantine-color-dimmed": "#A9B2C0",
    "--mantine-color-gray-light": "#232C3C",
    "--mantine-color-gray-light-hover": "#2C3547",
    "--mantine-color-gray-light-color": "#D6DBE3",
  },
});
