import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import type { Column } from "#kernel/list/columns.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { Missing } from "#ui/missing.tsx";
import {
  bitsIn,
  type FieldChoice,
  isMask,
  isMetric,
  type PolicyOwner,
  useFieldChoice,
} from "./choices.ts";
import { policyMessages } from "./messages.ts";
import type { PolicyPart } from "./policy-part.ts";

type Row = Readonly<Record<string, unknown>>;
const rates = new Set(["gbw", "maxbw", "upBandwidth", "downBandwidth"]);

const shown = (field: string, value: unknown, choice: FieldChoice | null, t: Translate): string => {
  if (value === null || value === undefined || value === "") return "";
  if (choice) {
    const values = isMask(field) ? bitsIn(Number(value)) : Array.isArray(value) ? value : [value];
    const label = (one: unknown) =>
      choice.options.find((option) => option.value === one)?.label ??
      (one === 0 ? "" : String(one));
    return t.list(values.map(label));
  }
  if (typeof value === "boolean") return t.code("flag", value);
  return rates.has(field) ? `${Number(value) / 1_000} Mbit/s` : String(value);
};

/** Label first, then the fields that the section names. */
export const usePolicyColumns = (part: PolicyPart, owner: PolicyOwner): Column<Row>[] => {
  const t = useTexts();
  const { family } = part;
  const { label } = family.spec;
  return [
    {
      key: label,
      title: t.field(label),
      pinned: "left",
      part: "name",
      sort: label,
      width: 160,
      cell: (row) => String(row[label]),
    },
    ...part.columns.map((field) => {
      if (field === "enable") return enableColumn(t);
      return field === "nextSwitch" ? switchColumn(t) : plain(family, field, owner, t);
    }),
  ];
};

const plain = (
  family: PolicyFamily,
  field: string,
  owner: PolicyOwner,
  t: Translate,
): Column<Row> => ({
  key: field,
  title: t.field(field),
  width: 136,
  ...(isMetric(family, field) && { align: "right" as const }),
  ...((family.spec.sort as readonly string[]).includes(field) && { sort: field }),
  cell: (row) => <Cell family={family} field={field} owner={owner} row={row} />,
});

/** Whether a time group is active now, until when, and by whose clock. */
const switchColumn = (t: Translate): Column<Row> => ({
  key: "nextSwitch",
  title: t.field("nextSwitch"),
  width: 280,
  cell: (row) => <Switch row={row} />,
});

function Switch({ row }: { readonly row: Row }) {
  const t = useTexts(policyMessages);
  const { timezone: zone, activeNow: isActive, nextSwitch: next } = row;
  if (typeof zone !== "string") return t("policy.switch.ofEach");
  if (!(next instanceof Date)) return t(isActive ? "policy.switch.always" : "policy.switch.never");
  const at = clockIn(next, zone);
  return t(isActive ? "policy.switch.ends" : "policy.switch.begins", { at, zone });
}

/** `MM-DD HH:mm` as clocks of a zone show a moment. */
function clockIn(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? "";
  return `${of("month")}-${of("day")} ${of("hour")}:${of("minute")}`;
}

interface CellProps {
  readonly family: PolicyFamily;
  readonly field: string;
  readonly owner: PolicyOwner;
  readonly row: Row;
}

function Cell({ family, field, owner, row }: CellProps) {
  const t = useTexts();
  const messages = useTexts(policyMessages);
  const choice = useFieldChoice(family, field, owner, t);
  const text = shown(field, row[field], choice, t);
  // No weekday means every day, which a dash does not say.
  return text || (field === "weekdays" ? messages("policy.everyDay") : <Missing />);
}
