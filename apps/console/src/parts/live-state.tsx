import { useTexts } from "#client/texts.ts";
import { useIsStale, useLiveEvents } from "./live.ts";

/** Keeps the stream of events, and says when there is none: then screens are some seconds behind. */
export function LiveState() {
  const t = useTexts();
  useLiveEvents();
  const isStale = useIsStale();
  if (!isStale) return null;
  return (
    <span className="w-quiet w-state" role="status" title={t("live.offWhat")}>
      ○ {t("live.off")}
    </span>
  );
}
