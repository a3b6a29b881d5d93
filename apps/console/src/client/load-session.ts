import {
  sentSession,
  session as sessionCall,
  sessionOf,
} from "@weft/contract/domains/access/session.ts";
import { call } from "./call.ts";
import { applyColour } from "./display.ts";
import { menuTree, withHiddenRoutes } from "./menus.ts";
import { keepPerson } from "./person.ts";
import { endSession, startSession } from "./session-state.ts";
import { startConfig } from "./start-config.ts";
import { browserStores } from "./token.ts";
import { markVisit } from "./visit.ts";

type Sent = NonNullable<Parameters<typeof call>[2]>["sent"];

/**
 * Loads menus, roles and authorities with the stored token, from where this site has them (section
 * 7.1). Whatever fails ends the session (section 2.2).
 * @throws CallError, for a screen that wants to say why.
 */
export const loadSession = async (): Promise<void> => takeSession(undefined);

/** The same, with the answer to a request that was sent before this code was there. */
export const takeSession = async (sent: Sent): Promise<void> => {
  try {
    const load = { ...sessionCall, path: startConfig().menuUrl, output: sentSession };
    const data = sessionOf((await call(load, {}, sent && { sent })).data);
    const isVisit = Boolean(data.visitEndTime);
    markVisit(isVisit);
    // A visitor is no person of this browser, and has no screens but those that were sent.
    if (!isVisit) keepPerson(browserStores(), data);
    void applyColour(data.color ?? "");
    const menus = menuTree(data.menus);
    startSession({ ...data, menus: isVisit ? menus : withHiddenRoutes(menus) });
  } catch (error) {
    endSession();
    throw error;
  }
};
