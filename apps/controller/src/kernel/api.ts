/**
 * What every mounted call works with. `app.weft` holds the process's services; each call gets a
 * Context of its own. Handlers and stores see these types and never Fastify's request.
 */
import type { Grant } from "@weft/contract/access.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { Warning } from "@weft/contract/kernel/warning.ts";
import type { Transaction } from "kysely";
import type { Pools, RememberedAccess, Scope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { CallTurns } from "./call-turns.ts";
import type { Hint } from "./change-hint.ts";
import type { Vault } from "./vault.ts";

/** What a person may see; devices have a scope of their own kind. */
export type CallerScope = Exclude<Scope, { readonly kind: "node" | "nodes" }>;

/** Who a valid session token stands for, as it is in the transaction of the call. */
export interface SessionUser {
  readonly userId: number;
  readonly loginName: string;
  readonly enterpriseId: number;
  readonly enterpriseName: string;
  /** 0 controller, 1 agent, other: enterprise (specification section 1). */
  readonly roleType: number;
  /** Role codes. */
  readonly roles: readonly string[];
  /** Permission codes, and entries of the menu by their path. */
  readonly authorities: readonly Grant[];
  readonly scope: CallerScope;
  /** The login from which this session comes; all tokens rotated from it share it. */
  readonly family: string;
  /** The API key that calls instead of a person; null: a session. */
  readonly keyId: number | null;
  /** The user has set up MFA, or the identity provider asked for it; of a key: its maker has. */
  readonly hasMfa: boolean;
  /** MFA is required and not set up: only the calls that set it up are open. */
  readonly mustAddFactor: boolean;
  /** The login was one by an identity provider; null: a login with a password, or a key. */
  readonly providerLogin: {
    /** null: the provider is gone. */
    readonly providerId: number | null;
    /** The person authenticated there within ten minutes, which proves the person as a password does. */
    readonly isFresh: boolean;
  } | null;
  /** The session is a link for templates, which ends then; null: a login, or a key. */
  readonly visitEndTime: Date | null;
}

/** Facts of the request that a handler may need. */
export interface RequestFacts {
  /** Client address of the connection, or the one that a trusted proxy reports. */
  readonly address: string;
  readonly userAgent: string;
  /** Host and port that the client asked for, or what a trusted proxy says. */
  readonly host: string;
  readonly language: Language;
  /** Also in the answer of a failure and in every log line of the call. */
  readonly requestId: string;
  /** Header If-Match: which versions of the row the call may act on; null: any. */
  readonly ifMatch: string | null;
}

export interface Caller extends SessionUser, RequestFacts {}

/** One line of the audit trail. Values of secret fields are redacted by name. */
export interface AuditEntry {
  /** Resource name of the contract ("staticroute"), or the noun of a bespoke call. */
  readonly resource: string;
  readonly rowId: number | null;
  readonly old: object | null;
  readonly new: object | null;
  /** Enterprise whose row it is; it must be in the caller's scope. */
  readonly enterpriseId: number;
}

/** Intent that changed: which nodes, or all nodes of which spaces, must be compiled again. */
export interface Change {
  readonly enterpriseId: number;
  readonly nodeIds?: readonly number[];
  readonly spaceIds?: readonly number[];
}

export interface Context {
  readonly caller: Caller;
  /** The call's transaction, scoped to the caller by row-level security. */
  readonly db: Transaction<Database>;
  /** Writes audit rows in the call's transaction, with one statement. */
  audit(...entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Writes audit rows and change rows as the last thing of the transaction, in one packet with its COMMIT: for a call that
   * reads neither of them any more.
   */
  recordLast(entries: readonly AuditEntry[], changes: readonly Change[]): void;
  /** The version of the row that the answer is about: its header ETag. */
  returns(version: string): void;
  /** Warns the caller of a consequence beside the success of the call. */
  warn(...warnings: readonly Warning[]): void;
  /** What is written in a transaction of its own if the call is refused: its own is rolled back then. */
  afterRefusal(work: (api: Api) => Promise<void>): void;
  /**
   * Ends the call unless the caller proves to be the person whose session it is: by the own password, which the call
   * gives in its field `oldPsw`. Asked once however often a call needs it.
   */
  verifyOwnPassword(): Promise<void>;
  /** Writes change rows in the call's transaction; the worker is notified after COMMIT. */
  change(...changes: readonly Change[]): Promise<void>;
}

/**
 * What handlers and hooks get: they decide, audit and pass the whole on to stores. The transaction
 * is there for the stores to find; no value has its type here, so nothing can be done with it.
 */
export interface HandlerContext extends Omit<Context, "db"> {
  readonly db: never;
}

export interface Authenticated {
  readonly user: SessionUser;
  readonly newToken: string | null;
  /**
   * Each transaction of the call has to begin with its check: the user is from memory, or was read before the body of the
   * call had arrived.
   */
  readonly remembered: RememberedAccess;
  readonly isFromMemory: boolean;
}

/**
 * Checks a session token; null when it is not valid (any more).
 * @param mayRemember what the process remembers will do
 */
export type Authenticate = (
  token: string,
  address: string,
  mayRemember?: boolean,
) => Promise<Authenticated | null>;

/** Somebody for whom something is done after the call that asked for it, as access is now. */
export interface Revived {
  readonly user: SessionUser;
  /** Transactions begin with its check: others may be waited for in between. */
  readonly remembered: RememberedAccess;
}

/** Finds again what the user of a ticket may do now; null: logged out, disabled, expired. */
export type Revive = (
  owner: Pick<SessionUser, "userId" | "family" | "keyId">,
) => Promise<Revived | null>;

/** Checks the own password that a call gave (null: none), or what stands for it. @throws Refusal */
export type VerifyOwnPassword = (ctx: Context, password: string | null) => Promise<void>;

/** A call that answers here, with the reasons for what is unusual about it. */
export interface MountedCall {
  readonly endpoint: Endpoint;
  readonly unaudited: string | null;
  readonly unscopedReason: string | null;
  readonly personOnly: string | null;
}

/** The demonstration that this controller shows. */
export interface Demonstration {
  /** Begins the empty installation, whose first administrator gets this hash. */
  leave(adminPasswordHash: string): Promise<void>;
}

/** What the operator has set for this site. */
export interface Site {
  /** Name of the product on pages and in e-mails. */
  title(language: Language): string;
  /** Login requires a code by text message. */
  readonly loginSms: boolean;
  /** Messages can leave by these ways. */
  readonly sendsMail: boolean;
  readonly sendsSms: boolean;
  /** Networks besides the public ones in which identity providers may be. */
  readonly identityNetworks: readonly string[];
}

export interface Api {
  readonly pools: Pools<Database>;
  readonly callTurns: CallTurns;
  readonly authenticate: Authenticate;
  readonly revive: Revive;
  readonly verifyOwnPassword: VerifyOwnPassword;
  readonly changeHint: Hint;
  readonly site: Site;
  readonly vault: Vault;
  /** null: a real installation. */
  readonly demonstration: Demonstration | null;
  /** Every mounted call by path; batteries and OpenAPI enumerate it. */
  readonly mounted: Map<string, MountedCall>;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly weft: Api;
  }
  interface FastifyRequest {
    /** Set once the token was checked, for the access log. */
    userId: number | null;
    /** Code of the answer's envelope, for the access log. */
    answerCode: number | null;
    /** What its answer says beside success. */
    warnings?: readonly Warning[];
  }
}
