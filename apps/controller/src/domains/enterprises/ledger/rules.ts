import { type PostingKind, postingKind } from "@weft/contract/domains/enterprises/enums.ts";

export type Account = "credit" | "received" | "income" | "carried";

export interface Entry {
  readonly account: Account;
  /** Minor units. */
  readonly amount: number;
}

/** The contra account of an enterprise's credit, by the kind of posting. */
const against: Readonly<Record<PostingKind, Account>> = {
  [postingKind.recharge]: "received",
  [postingKind.charge]: "income",
  [postingKind.refund]: "income",
  [postingKind.carried]: "carried",
};

/** The two sides of a posting that changes a credit by so much. Pure. */
export const entriesOf = (kind: PostingKind, change: number): readonly Entry[] => [
  { account: "credit", amount: change },
  { account: against[kind], amount: -change },
];

const prefixes: Readonly<Record<PostingKind, string>> = { 1: "R", 2: "C", 3: "B", 4: "T" };

/** What people call a posting by: the initial of its kind and its number in the ledger. */
export const orderNo = (kind: PostingKind, id: number): string =>
  `${prefixes[kind]}${String(id).padStart(10, "0")}`;
