/**
 * Every rule and conversion of spec/validators.json by its id, in the form in which its cases are
 * written. `npm run cases` and the contract's tests run cases through this table.
 */
import { login, passwordForm } from "#domains/access/session.ts";
import { checkMemory } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as convert from "#rules/conversions.ts";
import { nationalIdFailure } from "#rules/national-id.ts";
import * as number from "#rules/number.ts";
import { isPortPair, isPortRange } from "#rules/ports.ts";
import { fitsLineLimit, hasSelection, isStandbyPlan, type StandbyMember } from "#rules/rows.ts";
import { type DailySchedule, isDailySchedule, toDailySchedule } from "#rules/schedule.ts";
import * as text from "#rules/text.ts";

/** What a check says: true; or what is wrong, as the cases name it (message keys, field names). */
export type Verdict = true | readonly string[];
export type Check = (input: unknown) => Verdict;

const verdict = (holds: boolean): Verdict => holds || [];
const ofText =
  (predicate: (value: string) => boolean): Check =>
  (input) =>
    verdict(typeof input === "string" && predicate(input));
const whole =
  (range: readonly [number, number]): Check =>
  (input) =>
    verdict(number.isWholeIn(input, range));

const { ranges } = number;
const anyWhole = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/** Fields of a form that get a message, each once, in the form's order. */
const formVerdict = (
  schema: Parameters<typeof checkMemory>[0],
  form: object,
  order: readonly string[],
) => {
  const checked = checkMemory(schema, form);
  if (checked.ok) return true;
  const wrong = new Set(checked.issues.map((issue) => issue.path));
  return order.filter((field) => wrong.has(field));
};

const passwordChange: Check = (input) => {
  const form = input as { oldPsw: string; newPsw: string; rePsw: string };
  const draft = { userId: 1, revokeKeys: true, ...form };
  return formVerdict(passwordForm, draft, ["oldPsw", "newPsw", "rePsw"]);
};

const loginCheck: Check = (input) => {
  const form = input as { loginName: string; password: string; sms?: string };
  const shape = formVerdict(login.input, { sms: null, ...form }, ["loginName", "password"]);
  if (shape !== true) return shape;
  return verdict(text.isFilled(form.loginName) && text.isPassword(form.password));
};

/** Guaranteed and maximum together: A-32, guaranteed never above maximum. */
const bandwidthCheck: Check = (input) => {
  const fits = (value: unknown) => number.isNumberIn(value, [64, Number.MAX_SAFE_INTEGER]);
  if (typeof input !== "object" || input === null) return verdict(fits(input));
  const { gbw, maxbw } = input as { gbw: unknown; maxbw: unknown };
  return verdict(fits(gbw) && fits(maxbw) && Number(gbw) <= Number(maxbw));
};

const orderedNumbers: Check = (input) => {
  const { start, end } = input as { start: unknown; end: unknown };
  return verdict(
    number.isNumberIn(start, [-Infinity, Number(end)]) &&
      number.isNumberIn(end, [-Infinity, Infinity]),
  );
};

const coordinate =
  (range: readonly [number, number]): Check =>
  (input) =>
    verdict(
      typeof input === "string" &&
        number.hasCoordinateDecimals(input) &&
        number.isNumberIn(input, range),
    );

export const validators: Readonly<Record<string, Check>> = {
  password: ofText(text.isPassword),
  passwordConfirm: (input) => {
    const { newPsw, rePsw } = input as { newPsw: string; rePsw: string };
    return verdict(newPsw === rePsw);
  },
  oldPasswordRequired: (input) => verdict(text.isFilled(input)),
  changePasswordForm: passwordChange,
  loginForm: loginCheck,
  templateNameRequired: (input) => verdict(text.isFilled(input)),
  batchSelection: (input) => verdict(hasSelection(input)),
  alarmThreshold: (input) => verdict(number.isNumberIn(input, ranges.alarmThreshold)),
  mtu: whole(ranges.mtu),
  port: whole(ranges.port),
  // 0 or empty means no tag; blanks count as empty.
  vlan: (input) => (String(input ?? "").trim() === "" ? true : whole(ranges.vlan)(input)),
  metric: whole(ranges.metric),
  nodeLifetime: whole(ranges.nodeLifetime),
  bandwidth: bandwidthCheck,
  lineCount: (input) => {
    const { existing, adding } = input as { existing: number; adding: number };
    return verdict(fitsLineLimit(existing, adding));
  },
  startEndValue: orderedNumbers,
  startEndIp: (input) => {
    const { start, end } = input as { start: string; end: string };
    return verdict(address.isOrderedAddresses(start, end));
  },
  hotStandbyPriority: whole(ranges.hotStandbyPriority),
  hotStandbyGroup: (input) => verdict(isStandbyPlan(input as StandbyMember[])),
  coordinateDecimals: ofText(number.hasCoordinateDecimals),
  name: ofText(text.isName),
  mobilePhone: ofText(text.isMobilePhone),
  landline: ofText(text.isLandline),
  email: ofText(text.isEmail),
  url: ofText(text.isUrl),
  nationalId: (input) => {
    const failure = nationalIdFailure(String(input), new Date());
    return failure === null || [`text.id${failure.charAt(0).toUpperCase()}${failure.slice(1)}`];
  },
  integer: (input) => verdict(input !== "-0" && whole(anyWhole)(input) === true),
  positiveInteger: whole([1, Number.MAX_SAFE_INTEGER]),
  portRange: ofText(isPortRange),
  portPair: ofText(isPortPair),
  ipv4: ofText((value) => address.parseAddress(value)?.family === 4),
  ipv4Range: ofText((value) => address.isAddressRange(value, 4)),
  ipv4Cidr: ofText((value) => address.parsePrefix(value)?.family === 4),
  ipv6: ofText((value) => address.parseAddress(value)?.family === 6),
  ipv6Prefix: ofText((value) => address.parsePrefix(value)?.family === 6),
  ipv6Range: ofText((value) => address.isAddressRange(value, 6)),
  mac: ofText(text.isMac),
  username: ofText(text.isLoginName),
  passwordFormat: ofText(text.isPasswordFormat),
  mask: ofText(address.isMask),
  longitude: coordinate([-180, 180]),
  latitude: coordinate([-90, 90]),
  dailyScheduleText: ofText(isDailySchedule),
  idListText: ofText((value) => /^[1-9]\d*(?:,[1-9]\d*)*$/.test(value)),
};

export const conversions: Readonly<Record<string, (input: unknown) => unknown>> = {
  joinIds: (input) => convert.joinIds(input as number[]),
  expireMinusOne: convert.toExpire,
  emptyDefaults: (input) => {
    const { field, value } = input as { field: "text" | "number"; value?: unknown };
    return convert.toFilled(field, value);
  },
  dailySchedule: (input) => toDailySchedule(input as DailySchedule),
  pageSizeInput: (input) => convert.toPageSize(String(input)),
  bandwidthMillion: (input) => convert.toBitsPerSecond(input as number),
  regions: (input) => convert.toRegions(input as string[]),
  flagOneZero: (input) => convert.toFlag((input as { value?: unknown }).value),
  effectivedate: (input) => convert.joinIds(input as number[]),
  cpeTypeNames: (input) => convert.cpeTypeNames(input as number),
  relativeTime: (input) => convert.relativeTime(input as number),
  noticeDate: (input) => {
    const { now, expire } = input as { now: string; expire: string };
    return convert.noticeDate(new Date(now), expire);
  },
};
