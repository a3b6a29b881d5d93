import { useState } from "react";
import { Link } from "react-router";
import { urlOf } from "#client/call.ts";
import { systemName, useSession } from "#client/session.tsx";
import { Mark } from "#ui/mark.tsx";

interface Props {
  /** The sign alone. */
  readonly isSmall?: boolean;
  readonly onPick?: (() => void) | undefined;
}

/** The system's sign and name; it leads home. Without its picture the name is shown in its place. */
export function Logo({ isSmall = false, onPick }: Props) {
  const session = useSession();
  const { logo } = session;
  const sysName = systemName(session);
  const [failed, setFailed] = useState<string | null>(null);
  const hasFailed = logo !== "" && failed === logo;
  return (
    <Link className="w-logo" to="/" title={sysName} {...(onPick && { onClick: onPick })}>
      {logo === "" && <Mark />}
      {logo !== "" && !hasFailed && (
        <img src={urlOf(logo)} alt="" height={24} onError={() => setFailed(logo)} />
      )}
      {(!isSmall || hasFailed) && <span className="w-cut">{sysName}</span>}
    </Link>
  );
}
