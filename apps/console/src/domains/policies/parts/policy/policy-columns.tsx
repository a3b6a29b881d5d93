import { urlGroup } from "@weft/contract/domains/policies/url-group.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import { Link } from "react-router";
import { useMayOpen } from "#client/may-open.ts";
import { paths } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import type { Column } from "#kernel/list/columns.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { Missing } from "#ui/missing.tsx";
import { textWidth } from "#ui/text-width.ts";
import {
  bitsIn,
  codeChoice,
  type FieldChoice,
  isMask,
  isMetric,
  isNaming,
  type PolicyOwner,
  useFieldChoice,
} from "./choices.ts";
import { policyMessages } from "./messages.ts";
import type { PolicyPart } from "./policy-part.ts";

type Row = Readonly<Record<string, unknown>>;
type PolicyTexts = Translate<keyof typeof policyMessages>;
const rates = new Set(["gbw", "maxbw", "upBandwidth", "downBandwidth"]);

const textOf = (
  field: string,
  value: unknown,
  choice: FieldChoice | null,
  t: PolicyTexts,
): string =>
  // No weekday means every day, which a dash does not say.
  shown(field, value, choice, t) || (field === "weekdays" ? t("policy.everyDay") : "");

const shown = (field: string, value: unknown, choice: FieldChoice | null, t: Translate): string => {
  if (value === null || value === undefined || value === "") return "";
  if (choice) {
    const values = isMask(field) ? bitsIn(Number(value)) : Array.isArray(value) ? value : [value];
    const label = (code: unknown) =>
      choice.options.find((option) => option.value === code)?.label ??
      (code === 0 ? "" : String(code));
    return t.list(values.map(label));
  }
  if (typeof value === "boolean") return t.code("flag", value);
  return rates.has(field) ? `${Number(value) / 1_000} Mbit/s` : String(value);
};

/** Label first, then the fields that the section names. */
export const usePolicyColumns = (part: PolicyPart, owner: PolicyOwner): Column<Row>[] => {
  const t = useTexts(policyMessages);
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
      need: (row) => textWidth(String(row[label])),
      cell: (row) => String(row[label]),
    },
    ...part.columns.map((field) => {
      if (field === "enable") return enableColumn(t);
      if (field === "members" && "enterpriseMembers" in family.spec.facts.shape)
        return membersColumn(family, owner, t);
      return field === "nextSwitch" ? switchColumn(t) : plain(family, field, owner, t);
    }),
  ];
};

const plain = (
  family: PolicyFamily,
  field: string,
  owner: PolicyOwner,
  t: PolicyTexts,
): Column<Row> => ({
  key: field,
  title: field === "members" ? t("policy.entries") : t.field(field),
  width: 136,
  ...(isMetric(family, field) && { align: "right" as const }),
  ...((family.spec.sort as readonly string[]).includes(field) && { sort: field }),
  // What it names comes later than the rows: as wide as the column was made for it.
  ...(!isNaming(family, field) && {
    need: (row: Row) => textWidth(textOf(field, row[field], codeChoice(family, field, t), t)),
  }),
  cell: (row) => <Cell family={family} field={field} owner={owner} row={row} />,
});

interface GroupRow {
  readonly name: string;
  readonly members: number;
  readonly enterpriseMembers: number;
}

/** How many entries a group has; of one without any, how many it has of the enterprise's group of its name. */
const membersColumn = (family: PolicyFamily, owner: PolicyOwner, t: PolicyTexts): Column<Row> => {
  const textOf = (row: Row): string => {
    const { members, enterpriseMembers: count } = row as unknown as GroupRow;
    if (members > 0 || count === 0) return String(members);
    return t("templateId" in owner ? "policy.ofEnterprises" : "policy.ofEnterprise", { count });
  };
  return {
    key: "members",
    title: t("policy.entries"),
    width: 176,
    align: "right",
    need: (row) => textWidth(textOf(row)),
    cell: (row) => {
      const { members, enterpriseMembers, name } = row as unknown as GroupRow;
      if (members > 0 || enterpriseMembers === 0) return members;
      return (
        <OfEnterprise kind={family === urlGroup ? "url" : "ip"} name={name} text={textOf(row)} />
      );
    },
  };
};

interface OfEnterpriseProps {
  readonly kind: "ip" | "url";
  readonly name: string;
  readonly text: string;
}

function OfEnterprise({ kind, name, text }: OfEnterpriseProps) {
  const mayOpen = useMayOpen();
  const path = paths.objectGroups(kind, name);
  if (!mayOpen(path)) return text;
  return (
    <Link className="w-link" to={path}>
      {text}
    </Link>
  );
}

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
  const t = useTexts(policyMessages);
  const choice = useFieldChoice(family, field, owner, t);
  return textOf(field, row[field], choice, t) || <Missing />;
}
