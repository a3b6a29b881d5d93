import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Installation, postgresOf } from "./binaries.ts";
import { type ProgramCall, run } from "./run.ts";

/**
 * As whom the server's programs run. PostgreSQL refuses root, so a controller that runs as root
 * needs a way round:
 * - `self`: as this process, which is not root.
 * - `namespace`: in a user namespace where root appears as `nobody`; files stay root's.
 * - `nobody`: with the user and group id of `nobody`, who owns the data.
 * - `setpriv`: the same, keeping the one capability that lets it pass folders closed to it. For
 *   containers that forbid user namespaces while everything lies under root's closed home.
 */
export type Identity = "self" | "namespace" | "nobody" | "setpriv";

/** User and group id of `nobody`; initdb and postgres want an id that has a passwd entry. */
const unprivilegedUid = 65534;

/** The call that runs `program` with `args` under an identity. */
export function callAs(identity: Identity, program: string, args: readonly string[]): ProgramCall {
  switch (identity) {
    case "self":
      return { file: program, args, ids: {} };
    case "nobody":
      return { file: program, args, ids: { uid: unprivilegedUid, gid: unprivilegedUid } };
    case "namespace":
      // unshare executes the program in its place: the process id is the server's own.
      return {
        file: "unshare",
        args: [
          "--user",
          `--map-user=${unprivilegedUid}`,
          `--map-group=${unprivilegedUid}`,
          "--",
          program,
          ...args,
        ],
        ids: {},
      };
    case "setpriv":
      return {
        file: "setpriv",
        args: [
          `--reuid=${unprivilegedUid}`,
          `--regid=${unprivilegedUid}`,
          "--clear-groups",
          "--no-new-privs",
          "--inh-caps=-all,+dac_override",
          "--ambient-caps=-all,+dac_override",
          "--",
          program,
          ...args,
        ],
        ids: {},
      };
  }
}

/** The user id that must own the data under an identity; undefined where nothing need change. */
export function ownerFor(identity: Identity): number | undefined {
  if (identity === "self") return undefined;
  return identity === "namespace" ? 0 : unprivilegedUid;
}

/** What was found out about this machine; passed in, so that each finding can be faked. */
export interface IdentityFindings {
  readonly root: boolean;
  /** Whether `postgres --version` runs under the identity. */
  runs(identity: Identity, installation: Installation): Promise<boolean>;
  /** Whether `nobody` may pass every folder above the data. */
  dataOpenToNobody(): Promise<boolean>;
  /** A copy of the installation in a folder that `nobody` may read. */
  copy(): Promise<Installation>;
}

/**
 * Chooses the first identity that works, and the installation to run with it.
 * @throws Error saying what to change when none does.
 */
export async function chooseIdentity(
  installation: Installation,
  findings: IdentityFindings,
): Promise<{ identity: Identity; installation: Installation }> {
  // Even root may ask for the version.
  if (!(await findings.runs("self", installation))) {
    throw new Error(
      `${postgresOf(installation)} does not run on this machine (it needs glibc 2.27 or newer). ` +
        "Name a PostgreSQL in WEFT_DATABASE_URL.",
    );
  }
  if (!findings.root) return { identity: "self", installation };
  if (await findings.runs("namespace", installation)) {
    return { identity: "namespace", installation };
  }
  if (await findings.dataOpenToNobody()) {
    if (await findings.runs("nobody", installation)) return { identity: "nobody", installation };
    const copied = await findings.copy();
    if (await findings.runs("nobody", copied)) {
      return { identity: "nobody", installation: copied };
    }
  }
  if (await findings.runs("setpriv", installation)) return { identity: "setpriv", installation };
  throw new Error(
    "PostgreSQL refuses to run as root, and no other way works here: user namespaces are " +
      "forbidden, and the user nobody cannot reach the data folder. Start Weft as an ordinary " +
      "user, put WEFT_DATA in a folder that others may enter, or name a PostgreSQL in " +
      "WEFT_DATABASE_URL.",
  );
}

/** Whether `postgres --version` succeeds under an identity. */
export async function runsAs(identity: Identity, installation: Installation): Promise<boolean> {
  return (await run(callAs(identity, postgresOf(installation), ["--version"]))).code === 0;
}

/** Whether every folder from the root down to `folder` lets `nobody` pass. */
export async function openToNobody(folder: string): Promise<boolean> {
  const { mode, uid } = await stat(folder);
  const passable = uid === unprivilegedUid ? (mode & 0o100) !== 0 : (mode & 0o001) !== 0;
  if (!passable) return false;
  const parent = dirname(folder);
  return parent === folder ? true : openToNobody(parent);
}
