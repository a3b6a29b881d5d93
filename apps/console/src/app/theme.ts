import type { ThemeConfig } from "antd/es/config-provider";
import theme from "antd/es/theme";
import { codeFont, type Mode, mix, palettes, textFont } from "#ui/tokens.ts";

/** The shades of one meaning, pinned: the library's own derivation changes the seeds. */
const family = (name: string, colour: string, mode: Mode): Record<string, string> => {
  const isDark = mode === "dark";
  const ground = palettes[mode].container;
  const hover = isDark ? mix(colour, "#ffffff", 0.82) : mix(colour, "#000000", 0.86);
  const active = mix(colour, "#000000", isDark ? 0.9 : 0.74);
  const text = isDark ? colour : hover;
  return {
    [`color${name}`]: colour,
    [`color${name}Hover`]: hover,
    [`color${name}Active`]: active,
    [`color${name}Bg`]: mix(colour, ground, isDark ? 0.14 : 0.08),
    [`color${name}BgHover`]: mix(colour, ground, isDark ? 0.24 : 0.16),
    [`color${name}Border`]: mix(colour, ground, 0.4),
    [`color${name}BorderHover`]: mix(colour, ground, 0.6),
    [`color${name}Text`]: text,
    [`color${name}TextHover`]: hover,
    [`color${name}TextActive`]: active,
  };
};

const neutral = (mode: Mode): Record<string, string> => {
  const p = palettes[mode];
  return {
    colorBgLayout: p.layout,
    colorBgContainer: p.container,
    colorBgElevated: p.elevated,
    colorFillAlter: p.fillAlter,
    colorFillQuaternary: p.fillAlter,
    colorBorder: p.edge,
    colorBorderSecondary: p.hairline,
    colorSplit: p.hairline,
    colorText: p.text,
    colorTextBase: p.text,
    colorTextHeading: p.text,
    colorTextSecondary: p.textSecondary,
    colorTextLabel: p.textSecondary,
    colorTextTertiary: p.textTertiary,
    colorTextDescription: p.textTertiary,
    colorTextPlaceholder: p.textTertiary,
    colorIcon: p.textTertiary,
    colorIconHover: p.text,
    colorTextQuaternary: p.disabled,
    colorTextDisabled: p.disabled,
  };
};

const components = (mode: Mode, fill: string): NonNullable<ThemeConfig["components"]> => {
  const p = palettes[mode];
  return {
    Button: {
      primaryColor: p.onFill,
      dangerColor: p.onFill,
      primaryShadow: "none",
      defaultShadow: "none",
      dangerShadow: "none",
    },
    Checkbox: { colorWhite: p.onFill },
    Radio: { colorWhite: p.onFill },
    Switch: { handleBg: p.onFill },
    Badge: { colorTextLightSolid: p.onFill },
    Table: {
      headerBg: p.fillAlter,
      headerColor: p.textSecondary,
      rowHoverBg: p.rowHover,
      borderColor: p.hairline,
      headerSplitColor: "transparent",
      cellPaddingBlock: 8,
      cellPaddingInline: 12,
    },
    Drawer: { paddingLG: 16 },
    Menu: {
      itemHeight: 36,
      itemBorderRadius: 6,
      itemMarginBlock: 2,
      itemMarginInline: 8,
      collapsedWidth: 56,
      iconMarginInlineEnd: 10,
      activeBarBorderWidth: 0,
      subMenuItemBg: "transparent",
      darkItemBg: p.sidebar,
      darkSubMenuItemBg: p.sidebar,
      darkPopupBg: p.sidebar,
      darkItemColor: p.sidebarText,
      darkItemHoverBg: mix(p.sidebarText, p.sidebar, 0.08),
      // Softer than a filled button: where one is, not what to press.
      darkItemSelectedBg: mix(fill, p.sidebar, 0.4),
      darkItemSelectedColor: "#ffffff",
    },
  };
};

/**
 * The component library's theme: our tokens over its algorithm. `isStill`: nothing moves. Shortening
 * the library's motions by CSS is not enough: they end before it listens for their end, and a list
 * stays as invisible as its first frame.
 */
export const libraryTheme = (mode: Mode, fill: string, isStill: boolean): ThemeConfig => {
  const p = palettes[mode];
  const link = mode === "dark" ? fill : mix(fill, "#000000", 0.86);
  const pinned = {
    ...neutral(mode),
    ...family("Primary", fill, mode),
    // The library draws the focus in these two: with the same contrast to the background as our own ring.
    colorPrimaryBorder: fill,
    controlOutline: fill,
    ...family("Error", p.bad, mode),
    ...family("Success", p.ok, mode),
    ...family("Warning", p.warn, mode),
    ...family("Info", p.run, mode),
    colorLink: link,
    colorLinkHover: link,
    colorLinkActive: link,
    // Selected items have the theme's softest shade as background.
    controlItemBgActive: mix(fill, p.container, mode === "dark" ? 0.14 : 0.08),
    controlItemBgActiveHover: mix(fill, p.container, mode === "dark" ? 0.24 : 0.16),
    controlItemBgHover: p.rowHover,
    ...(mode === "dark" && { boxShadow: "none", boxShadowSecondary: `0 0 0 1px ${p.hairline}` }),
  };
  const base = mode === "dark" ? theme.darkAlgorithm : theme.defaultAlgorithm;
  return {
    hashed: false,
    // The build has made the styles of all components already (antd-styles.ts).
    zeroRuntime: import.meta.env.PROD,
    algorithm: [base, (_seed, map) => ({ ...(map ?? base(theme.defaultSeed)), ...pinned })],
    token: {
      fontFamily: textFont,
      fontFamilyCode: codeFont,
      fontSize: 14,
      fontWeightStrong: 600,
      borderRadius: 6,
      borderRadiusLG: 8,
      borderRadiusSM: 4,
      controlHeight: 32,
      lineWidthFocus: 2,
      // Beside a border that changes as well: 2 px together.
      controlOutlineWidth: 1,
      motion: !isStill,
      motionDurationFast: "0.1s",
      motionDurationMid: "0.1s",
      motionDurationSlow: "0.2s",
      ...pinned,
    },
    components: components(mode, fill),
  };
};
