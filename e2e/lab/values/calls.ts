/** The calls of the campaign of values: which values the API refuses, and why. */
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { hostB } from "./device.ts";
import { nastyValues } from "./nasty-values.ts";
import type { FieldOfSubject, Subject, Wire } from "./subjects.ts";

/** Calls as `admin` with whatever is given, as a browser sends it. */
export type Post = (path: string, wire: Wire) => Promise<Envelope>;

export interface Part {
  readonly field: FieldOfSubject;
  readonly value: string;
}

/** Settings have no id. */
export type AddedId = number | null;

/** Calls under way at a time: most of a call's time is the database's. */
export const callsAtOnce = 6;

/** Runs `work` for all, a few at a time. */
export async function atOnce<T>(
  count: number,
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

/** Why the controller refused; null: it took it. */
const refusalOf = ({ code, msg, issues = [] }: Envelope): string | null => {
  if (code === 0 || code === 200) return null;
  const rules = issues.map(({ path, rule }) => `${path} ${rule}`);
  return rules.length > 0 ? rules.join(", ") : `${code} ${msg}`;
};

/** A failure inside of the controller: no refusal gives a reason so. */
const isInternal = ({ code }: Envelope): boolean => code >= 500;

const idOf = ({ data }: Envelope): AddedId => (data as { id?: number } | null)?.id ?? null;

export type Answer =
  | { readonly outcome: "taken"; readonly id: AddedId }
  | { readonly outcome: "refused" | "failed"; readonly why: string };

export async function write(post: Post, subject: Subject, wire: Wire): Promise<Answer> {
  const envelope = await post(subject.path, wire);
  const why = refusalOf(envelope);
  if (why === null) return { outcome: "taken", id: idOf(envelope) };
  return { outcome: isInternal(envelope) ? "failed" : "refused", why };
}

/** Why the removal is refused; null: it is done. */
export async function remove(
  post: Post,
  subject: Subject,
  ids: readonly AddedId[],
): Promise<string | null> {
  if (subject.removePath === null) return refusalOf(await post(subject.path, subject.draft(0)));
  return refusalOf(await post(subject.removePath, { ids: ids.join(","), ...subject.inside }));
}

/** An ACL rule of the CPE against host B. @returns its id, or why it is refused */
export async function deny(post: Post, cpeId: number): Promise<number | string> {
  const envelope = await post(aclRule.ops.add.path, {
    nCpeID: cpeId,
    nEnable: 1,
    nSection: 0,
    sort: 0,
    name: "deny-b",
    action: 0,
    protocol: "any",
    srcIp: "",
    dstIp: `${hostB}/32`,
    srcPort: "",
    dstPort: "",
    remark: "",
  });
  return refusalOf(envelope) ?? idOf(envelope) ?? "without an id";
}

export const allow = async (post: Post, id: number): Promise<string | null> =>
  refusalOf(await post(aclRule.ops.remove.path, { ids: String(id) }));

/** The values of a subject's fields. */
export const partsOf = (subject: Subject): Part[] =>
  subject.fields.flatMap((field) =>
    [...new Set(nastyValues[field.kind])].map((value) => ({ field, value })),
  );

export interface Tried {
  readonly part: Part;
  /** Taken: the API would take it alone. */
  readonly outcome: "taken" | "refused" | "failed";
  readonly why: string;
}

/**
 * Each value alone through the API. What the contract refuses is sent as well, several at a time: nothing of it may be saved.
 * What is taken is removed before the next value of the subject comes.
 */
export async function tryCalls(
  post: Post,
  subject: Subject,
  parts: readonly Part[],
  next: () => number,
): Promise<Tried[]> {
  const sample = await write(post, subject, subject.draft(next()));
  if (sample.outcome !== "taken") throw new Error(`${subject.name}: its draft: ${sample.why}`);
  const left = await remove(post, subject, [sample.id]);
  if (left) throw new Error(`${subject.name}: its draft cannot be removed: ${left}`);
  const candidates = parts.map((part) => {
    const wire = { ...subject.draft(next()), [part.field.name]: part.value };
    return { part, wire, isGood: checkWire(subject.schema, wire).ok };
  });
  const tried: Tried[] = [];
  const tryOne = async ({ part, wire, isGood }: (typeof candidates)[number]) => {
    let answer = await write(post, subject, wire);
    // What a draft has besides may meet that of another row: the value is tried with another draft.
    if (isGood && answer.outcome === "refused" && !answer.why.includes(part.field.name)) {
      const other = { ...subject.draft(next()), [part.field.name]: part.value };
      answer = await write(post, subject, other);
    }
    if (answer.outcome !== "taken") {
      tried.push({ part, outcome: answer.outcome, why: answer.why });
      return;
    }
    const removal = await remove(post, subject, [answer.id]);
    if (!isGood) tried.push({ part, outcome: "failed", why: "the contract refuses it" });
    else if (removal)
      tried.push({ part, outcome: "failed", why: `its removal is refused: ${removal}` });
    else tried.push({ part, outcome: "taken", why: "" });
  };
  const [good, bad] = [true, false].map((is) => candidates.filter(({ isGood }) => isGood === is));
  await atOnce(callsAtOnce, bad ?? [], tryOne);
  await atOnce(1, good ?? [], tryOne);
  return tried;
}
