import Switch from "antd/es/switch";
import { useId } from "react";
import { useTexts } from "#client/texts.ts";
import { setKeysOn, useKeysOn } from "#ui/keys/key-switch.ts";
import { keyMessages } from "./messages.ts";

/** Turns keys of a single letter or sign off and on (WCAG 2.1.4). */
export function KeySwitch() {
  const t = useTexts(keyMessages);
  const isOn = useKeysOn();
  const id = useId();
  return (
    <>
      <div className="w-settings-row">
        <label htmlFor={id}>{t("keys.switch")}</label>
        <Switch id={id} checked={isOn} onChange={setKeysOn} aria-describedby={`${id}-help`} />
      </div>
      <p id={`${id}-help`} className="w-settings-help">
        {t("keys.switchHelp")}
      </p>
    </>
  );
}
