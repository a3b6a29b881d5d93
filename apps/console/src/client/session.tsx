import type { session } from "@weft/contract/domains/access/session.ts";
import { specialSystems } from "@weft/contract/domains/enterprises/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { holds, type Needed } from "@weft/contract/permissions.ts";
import { createContext, type ReactNode, useCallback, useContext } from "react";

export type Session = OutputOf<typeof session>;

/** The special system that the server names (section 9); null: none that is known. */
const specialName = ({ sysConfig }: Session): string | null =>
  sysConfig !== undefined && specialSystems.includes(sysConfig) ? sysConfig : null;

/** What the installation is called beside its logo (section 3). */
export const systemName = (session: Session): string =>
  session.logoName || session.syslogoName || specialName(session) || session.sysName;

export const SessionContext = createContext<Session | null>(null);

/** Who is logged in. Only below the guard. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession outside of a session");
  return session;
};

/** Checks a permission, or what a call or a screen asks for; null is what every user may do. */
export const useMay = (): ((code: Needed | null) => boolean) => {
  const user = useSession();
  return useCallback((code) => holds(user, code), [user]);
};

/** When the link for templates ends by which one came; null: one has logged in. */
export const useVisitEnd = (): Date | null => useSession().visitEndTime ?? null;

/** Shows its children to those who may; what may not be done is not shown at all (section 6). */
export function May({
  code,
  children,
}: {
  readonly code: Needed | null;
  readonly children: ReactNode;
}) {
  return useMay()(code) ? children : null;
}
