import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { useTexts } from "#client/texts.ts";
import { shellMessages } from "./messages.ts";

/** Nothing is shown for what takes less than this, in ms. */
const showAfter = 200;
/** The line stays this long after a navigation, in ms (specification section 9). */
const hideAfter = 300;

/** The line at the top while a screen loads. `pulse` changes when a page is reloaded in place. */
export function Progress({ pulse }: { readonly pulse: number }) {
  const t = useTexts(shellMessages);
  const isLoading = useNavigation().state !== "idle";
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOn(isLoading), isLoading ? showAfter : hideAfter);
    return () => clearTimeout(timer);
  }, [isLoading]);
  useEffect(() => {
    if (pulse === 0) return;
    setOn(true);
    const timer = setTimeout(() => setOn(false), hideAfter);
    return () => clearTimeout(timer);
  }, [pulse]);
  return (
    <div
      className="w-progress"
      role="progressbar"
      aria-label={t("shell.loading")}
      data-on={isOn || undefined}
    />
  );
}
