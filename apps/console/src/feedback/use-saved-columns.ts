import { sysSearchRelEdit } from "@weft/contract/domains/access/saved-columns.ts";
import { useRef } from "react";
import { call } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { type Session, useSession } from "#client/session.tsx";
import { onSessionEnd } from "#client/session-state.ts";
import { useToast } from "./toast.tsx";

/** Section 3 gives two tables names of their own; others go by the path of their list. */
const ownNames: Readonly<Record<string, string>> = {
  [paths.cpe()]: "cpe",
  [paths.account()]: "client",
};
const classTypeOf = (table: string): string => ownNames[table] ?? table;

/** Section 3: the session lists the columns of these two in fields of their own. */
const keptOf = (
  { colums, cpeColomn, clientColomn }: Pick<Session, "colums" | "cpeColomn" | "clientColomn">,
  classType: string,
): readonly string[] => {
  const saved = classType === "cpe" ? cpeColomn : classType === "client" ? clientColomn : "";
  const listed = saved.split(",").filter((key) => key !== "");
  return listed.length > 0 ? listed : (colums[classType] ?? []);
};

/** Columns that this page has saved since the session was loaded. */
const savedHere = new Map<string, readonly string[]>();
onSessionEnd(() => savedHere.clear());

/** A choice is sent once it has stood still for so long, in ms. */
const restMs = 600;

export interface SavedColumns {
  /** Keys that the account wants to see; empty: it never chose. */
  readonly kept: readonly string[];
  save(columns: readonly string[]): void;
}

/** The columns of a table that are kept with the account (section 7.1, sysSearchRel). */
export const useSavedColumns = (table: string): SavedColumns => {
  const classType = classTypeOf(table);
  const session = useSession();
  const toast = useToast();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    kept: savedHere.get(classType) ?? keptOf(session, classType),
    save(columns) {
      savedHere.set(classType, columns);
      clearTimeout(timer.current);
      // A visitor's choice ends with the visit: the account's own stays.
      if (session.visitEndTime) return;
      const send = () =>
        call(sysSearchRelEdit, { userId: session.userId, cols: [...columns], classType });
      timer.current = setTimeout(() => send().catch(toast.failed), restMs);
    },
  };
};
