import { ipGroup } from "@weft/contract/domains/policies/ip-group.ts";
import { urlGroup } from "@weft/contract/domains/policies/url-group.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import { useTexts } from "#client/texts.ts";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import type { FieldProps } from "#kernel/form/field-props.ts";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { bitsIn, isMask, type PolicyOwner, useFieldChoice } from "./choices.ts";
import { isNeeded } from "./form-plan.ts";
import { policyMessages } from "./messages.ts";

interface Props {
  readonly family: PolicyFamily;
  readonly name: string;
  readonly owner: PolicyOwner;
  /** What is edited; null: a new one. */
  readonly row: object | null;
}

/** How fields are put in, where their type does not say it. */
const kinds: Readonly<Record<string, NonNullable<FieldProps["kind"]>>> = {
  gbw: MegabitsControl,
  maxbw: MegabitsControl,
  upBandwidth: MegabitsControl,
  downBandwidth: MegabitsControl,
  password: "password",
  pppoePassword: "password",
};

const hints: Readonly<Record<string, string>> = {
  ip: "10.1.1.1",
  domain: "*.example.com",
  url: "www.example.com",
  startTime: "09:00",
  endTime: "18:00",
  mask: "255.255.255.0",
  networks: "10.0.0.0/8,172.16.0.0/12",
  nextHop: "10.1.1.254",
  externalPort: "8000-8010",
  internalPort: "443",
};

/** What a field means beyond its name, below it. */
const helps = {
  endTime: "policy.endTimeHelp",
  dstIpgroupId: "policy.routeTargetsHelp",
  url: "policy.urlHelp",
  allowOnlyHost: "policy.hostOnlyHelp",
  action: "policy.urlActionHelp",
  deny: "policy.denyHelp",
  natType: "policy.natTypeHelp",
  nextHop: "policy.nextHopHelp",
  outlineid: "policy.outlineHelp",
  dnsroute: "policy.dnsRouteHelp",
  returnTrip: "policy.returnTripHelp",
} as const;

/** Groups that may be the enterprise's. */
const takesEnterpriseGroup: ReadonlySet<string> = new Set([ipGroup.name, urlGroup.name]);

const helpOf = (family: string, field: string) => {
  if (field === "name" && takesEnterpriseGroup.has(family)) return "policy.groupNameHelp";
  return field in helps ? helps[field as keyof typeof helps] : null;
};

/** One field of a policy object: typed, or selected from codes or from rows of the same owner. */
export function PolicyField({ family, name, owner, row }: Props) {
  const t = useTexts(policyMessages);
  const choice = useFieldChoice(family, name, owner, t);
  const help = helpOf(family.name, name);
  const shared = { required: isNeeded(family, name), ...(help !== null && { help: t(help) }) };
  if (choice?.isMany) {
    return (
      <Field name={name} {...shared}>
        {(control) => <Many control={control} name={name} options={choice.options} />}
      </Field>
    );
  }
  if (choice) return <Field name={name} kind="select" options={choice.options} {...shared} />;
  const kind = kinds[name];
  const hint = isKept(row, name) ? t("policy.secretKept") : (hints[name] ?? "");
  return <Field name={name} {...(kind && { kind })} {...shared} placeholder={hint} />;
}

/** Secrets never come back; a row shows by `has…` that one is set. */
const isKept = (row: object | null, name: string): boolean =>
  Boolean(
    (row as Record<string, unknown> | null)?.[`has${name[0]?.toUpperCase()}${name.slice(1)}`],
  );

interface ManyProps {
  readonly control: FieldControl;
  readonly name: string;
  readonly options: readonly { readonly value: string | number; readonly label: string }[];
}

function Many({ control, name, options }: ManyProps) {
  const mask = isMask(name);
  const value = mask ? bitsIn(Number(control.value ?? 0)) : ((control.value ?? []) as number[]);
  return (
    <ManyChoice
      control={{
        ...control,
        value,
        set: (next) => control.set(mask ? (next ?? []).reduce((sum, bit) => sum + bit, 0) : next),
      }}
      options={options as { value: number; label: string }[]}
    />
  );
}
