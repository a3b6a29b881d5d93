import { Link } from "react-router";
import { systemName, useSession } from "#kernel/session.tsx";
import { Mark } from "#ui/mark.tsx";

interface Props {
  /** The sign alone. */
  readonly isSmall?: boolean;
  readonly onPick?: (() => void) | undefined;
}

/** The system's sign and name; it leads home. */
export function Logo({ isSmall = false, onPick }: Props) {
  const session = useSession();
  const { logo } = session;
  const sysName = systemName(session);
  return (
    <Link className="w-logo" to="/" title={sysName} {...(onPick && { onClick: onPick })}>
      {logo ? <img src={logo} alt="" height={24} /> : <Mark />}
      {!isSmall && <span className="w-cut">{sysName}</span>}
    </Link>
  );
}
