import CheckOutlined from "@ant-design/icons/es/icons/CheckOutlined";
import { themeColours } from "@weft/contract/domains/access/theme.ts";
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import Switch from "antd/es/switch";
import { useId } from "react";
import { useDisplay } from "#client/display.ts";
import {
  type Display,
  defaultDisplay,
  headStyles,
  layoutStyles,
  modeOf,
  sideStyles,
  tabStyles,
} from "#client/kept-display.ts";
import { useTexts } from "#client/texts.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { swatches } from "#ui/palettes.ts";
import { KeySwitch } from "./keys/key-switch.tsx";
import { shellMessages } from "./messages.ts";
import { useChangeDisplay } from "./use-change-display.ts";

/** px (specification section 2.5). */
const width = 280;

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

const styles = {
  layoutStyle: layoutStyles,
  sideStyle: sideStyles,
  headStyle: headStyles,
  tabStyle: tabStyles,
} as const;

const switches = [
  "bodyFull",
  "fixedHeader",
  "fixedSidebar",
  "fixedBody",
  "showTabs",
  "logoAutoSize",
  "colorfulIcon",
  "sideUniqueOpen",
  "weakMode",
] as const satisfies readonly (keyof Display)[];

/** How the console looks: every change shows immediately and is remembered in this browser. */
export function SettingsDrawer({ open, onClose }: Props) {
  const t = useTexts(shellMessages);
  const change = useChangeDisplay();
  const { version: _, ...preset } = defaultDisplay;
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size={width}
      title={t("shell.settings")}
      // The console behind it shows what changes: nothing dims it.
      mask={false}
      rootClassName="w-settings"
    >
      <SwitchRow field="darkMode" />
      <h3>{t("shell.color")}</h3>
      <Colours />
      {(Object.keys(styles) as (keyof typeof styles)[]).map((field) => (
        <StyleRow key={field} field={field} />
      ))}
      <h3>{t("shell.pageStyle")}</h3>
      {switches.map((field) => (
        <SwitchRow key={field} field={field} />
      ))}
      <Button block className="w-settings-defaults" onClick={() => change(preset)}>
        {t("shell.defaultDisplay")}
      </Button>
      {/* No part of how the console looks: the defaults above leave it as it is. */}
      <h3>{t("shell.keyboard")}</h3>
      <KeySwitch />
    </Drawer>
  );
}

function SwitchRow({ field }: { readonly field: (typeof switches)[number] | "darkMode" }) {
  const t = useTexts(shellMessages);
  const display = useDisplay();
  const change = useChangeDisplay();
  const id = useId();
  return (
    <div className="w-settings-row">
      <label htmlFor={id}>{t(`shell.${field}`)}</label>
      <Switch id={id} checked={display[field]} onChange={(isOn) => change({ [field]: isOn })} />
    </div>
  );
}

function StyleRow({ field }: { readonly field: keyof typeof styles }) {
  const t = useTexts(shellMessages);
  const display = useDisplay();
  const change = useChangeDisplay();
  const options = styles[field].map((code, value) => ({
    value,
    label: t(`shell.${field}.${code}` as Parameters<typeof t>[0]),
  }));
  return (
    <>
      <h3>{t(`shell.${field}`)}</h3>
      <Segmented
        block
        aria-label={t(`shell.${field}`)}
        name={field}
        options={options}
        value={display[field]}
        onChange={(value) => change({ [field]: value })}
      />
    </>
  );
}

function Colours() {
  const t = useTexts(shellMessages);
  const display = useDisplay();
  const change = useChangeDisplay();
  const mode = modeOf(display);
  return (
    <div className="w-settings-colours" role="radiogroup" aria-label={t("shell.color")}>
      {themeColours.map((colour) => {
        const isChosen = (display.color ?? "default") === colour;
        return (
          <label key={colour} title={t(`shell.color.${colour}`)}>
            <input
              type="radio"
              name="color"
              className="w-hidden"
              checked={isChosen}
              aria-label={t(`shell.color.${colour}`)}
              onChange={() => change({ color: colour === "default" ? null : colour })}
            />
            <span style={{ background: swatches[colour][mode] }}>
              {isChosen && <CheckOutlined />}
            </span>
          </label>
        );
      })}
    </div>
  );
}
