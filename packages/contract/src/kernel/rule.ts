import { z } from "zod";

/**
 * A rule fails with a code and parameters, never with text: the text is made where a person reads
 * it, in that person's language (`messages.ts`, key `rule.<code>`).
 */
export interface RuleIssue {
  /** Field of the draft, dotted for nested values; empty for the draft as a whole. */
  readonly path: string;
  readonly rule: RuleCode;
  readonly params: RuleParams;
}

export type RuleParams = Readonly<Record<string, string | number>>;

/** Every code a rule may fail with. Each has its text in `messages.ts`. */
export const ruleCodes = [
  "required",
  "text",
  "integer",
  "number",
  "tooLong",
  "tooShort",
  "outOfRange",
  "oneOf",
  "name",
  "loginName",
  "password",
  "weakPassword",
  "same",
  "email",
  "phone",
  "ipv4",
  "ipv4Cidr",
  "ip",
  "cidr",
  "ulaCidr",
  "ipv6Cidr",
  "ipv6Host",
  "gateway6",
  "hostAddress",
  "gateway",
  "reservedNetwork",
  "wideNetwork",
  "reservedInside",
  "insideLinks",
  "endpointAddress",
  "addressOfSite",
  "memberAddress",
  "portsOfAddress",
  "ownNextHop",
  "controllerAddress",
  "port",
  "vlan",
  "mtu",
  "metric",
  "bandwidth",
  "alarmThreshold",
  "coordinate",
  "interfaceName",
  "ownInterface",
  "interfaceOwner",
  "serialNumber",
  "instant",
  "tooEarly",
  "atLeastOne",
  "taken",
  "overlap",
  "announcedElsewhere",
  "collision",
  "hostOf",
  "standbyOrder",
  "standbyAddress",
  "unknown",
  "inUse",
  "tooMany",
  "cpeLimit",
  "cpeLimitAbove",
  "accountLimit",
  "accountLimitAbove",
  "limitOverParent",
  "limitOverParentAbove",
  "limitBelowUse",
  "limitUnderChild",
  "limitUnderUnseenChild",
  "cycle",
  "money",
  "companyCode",
  "idFormat",
  "idBirth",
  "idRange",
  "idRegion",
  "idLast",
  "timezone",
  "ipSet",
  "hostName",
  "host",
  "portRange",
  "schedule",
  "dnsLine",
  "notAllowed",
  "personOnly",
  "fromAbove",
  "mfaNeeded",
  "wrongPassword",
  "loginAgain",
  "portsWithProtocol",
  "twoEnds",
  "ofType",
  "eachOnce",
  "alwaysOn",
  "unreadable",
  "unknownColumn",
  "clock",
  "url",
  "mask",
  "area",
  "order",
  "noTime",
  "aboveMaximum",
  "coneOrSymmetric",
  "picture",
  "pictureTooLarge",
  "fileTooLarge",
  "clientPool",
  "dscp",
  "dscpTwice",
  "tunnelKey",
  "mac",
  "macOfCard",
  "hostLabel",
  "outsideLans",
  "addressOfLan",
  "outsideSection",
  "rangeHas",
  "sameFamily",
  "waves",
  "ambiguous",
  "noRow",
  "rowTwice",
  "loginElsewhere",
  "notAdded",
  "notChanged",
] as const;
export type RuleCode = (typeof ruleCodes)[number];

const isRuleCode = (value: unknown): value is RuleCode =>
  typeof value === "string" && (ruleCodes as readonly string[]).includes(value);

/** Second argument of zod's `refine`: makes the refinement fail with a rule code. */
export const failsWith = (rule: RuleCode, params: RuleParams = {}, path?: string[]) => ({
  params: { rule, ...params },
  ...(path && { path }),
});

type ZodIssue = z.core.$ZodIssue;

/** Issues of the kernel's own codecs and of zod's built-in checks, in our vocabulary. */
const builtIn = (issue: ZodIssue): { rule: RuleCode; params: RuleParams } => {
  switch (issue.code) {
    case "invalid_union":
    case "invalid_type": {
      if (issue.input === undefined || issue.input === null)
        return { rule: "required", params: {} };
      if (issue.code === "invalid_union") return { rule: "notAllowed", params: {} };
      if (issue.expected === "string") return { rule: "text", params: {} };
      return { rule: issue.expected === "number" ? "number" : "integer", params: {} };
    }
    case "too_big":
      return issue.origin === "string"
        ? { rule: "tooLong", params: { max: Number(issue.maximum) } }
        : {
            rule: issue.origin === "array" ? "tooMany" : "outOfRange",
            params: { max: Number(issue.maximum), min: "" },
          };
    case "too_small":
      if (issue.origin === "string") {
        return Number(issue.minimum) === 1
          ? { rule: "required", params: {} }
          : { rule: "tooShort", params: { min: Number(issue.minimum) } };
      }
      return issue.origin === "array"
        ? { rule: "atLeastOne", params: {} }
        : { rule: "outOfRange", params: { min: Number(issue.minimum), max: "" } };
    case "invalid_value":
      return { rule: "oneOf", params: { values: issue.values.join(", ") } };
    default:
      return { rule: "notAllowed", params: {} };
  }
};

/** Turns a zod error into rule issues; one per field and rule. */
export const toRuleIssues = (error: z.core.$ZodError): RuleIssue[] => {
  const seen = new Set<string>();
  return error.issues.flatMap((issue) => {
    const given = issue.code === "custom" ? issue.params : undefined;
    const { rule, ...params } = { ...(given as { rule?: unknown } | undefined) };
    const broken = isRuleCode(rule) ? { rule, params: params as RuleParams } : builtIn(issue);
    const path = issue.path.map(String).join(".");
    const key = `${path}|${broken.rule}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ path, ...broken }];
  });
};

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly RuleIssue[] };

// zod leaves the input out of its issues unless asked; "missing" and "of the wrong type" differ by it.
const reporting = { reportInput: true } as const;

/** Reads a wire value; the memory form, or which fields broke which rules. */
export const checkWire = <Schema extends z.ZodType>(
  schema: Schema,
  wire: unknown,
): Checked<z.output<Schema>> => {
  const result = z.safeDecode(schema, wire as z.input<Schema>, reporting);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: toRuleIssues(result.error) };
};

/** Checks a memory value (what a form holds) and gives its wire form. */
export const checkMemory = <Schema extends z.ZodType>(
  schema: Schema,
  memory: unknown,
): Checked<z.input<Schema>> => {
  const result = z.safeEncode(schema, memory as z.output<Schema>, reporting);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, issues: toRuleIssues(result.error) };
};
