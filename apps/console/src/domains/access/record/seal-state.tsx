import { operaRecordVerify } from "@weft/contract/domains/access/record.ts";
import Tooltip from "antd/es/tooltip";
import { useCall } from "#client/use-call.ts";
import { StateText } from "#ui/glyph.tsx";
import { type Operation, useRecordTexts } from "./record-texts.ts";

/** A seal comes within a second; looked for again while rows of the page wait for theirs. */
const pollMs = 2_000;

/** Whether the rows of this page are what was sealed, in one line; the reason on hover. */
export function SealState({ rows }: { readonly rows: readonly Operation[] }) {
  const t = useRecordTexts();
  const ids = rows.map((row) => row.id).slice(0, 100);
  const input = ids.length === 0 ? null : { ids };
  const first = useCall(operaRecordVerify, input);
  const waits = first.data?.some(({ state }) => state === "waiting") ?? false;
  const { data } = useCall(operaRecordVerify, waits ? input : null, { every: pollMs });
  const verified = data ?? first.data;
  if (input === null || !verified) return null;
  const broken = verified.filter(({ state }) => state === "broken").map(({ id }) => id);
  const waiting = verified.filter(({ state }) => state === "waiting").length;
  const [glyph, label] =
    broken.length > 0
      ? (["bad", t("record.sealBroken", { ids: broken.join(", ") })] as const)
      : waiting > 0
        ? (["run", t("record.sealWaiting", { count: waiting })] as const)
        : (["ok", t("record.sealed", { count: verified.length })] as const);
  return (
    <Tooltip title={t("record.sealHelp")}>
      <span>
        <StateText glyph={glyph} label={label} />
      </span>
    </Tooltip>
  );
}
