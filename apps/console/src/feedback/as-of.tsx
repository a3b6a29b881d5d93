import { useTexts } from "#client/texts.ts";
import { clockText } from "#ui/time-text.tsx";

interface Props {
  /** When what is shown came; null: it is on its way, and the place for the time is kept. */
  readonly at: Date | null;
  /** True: a later refresh failed. */
  readonly isOld?: boolean;
}

/** How old what is shown is. */
export function AsOf({ at, isOld = false }: Props) {
  const t = useTexts();
  const time = at ? clockText(at) : "00:00:00";
  if (isOld) return at && <span className="w-as-of w-bad">▲ {t("list.stale", { time })}</span>;
  return (
    <span className="w-as-of" data-waits={at === null || undefined}>
      {t("list.asOf", { time })}
    </span>
  );
}
