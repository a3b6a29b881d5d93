import type { Needed } from "@weft/contract/permissions.ts";
import Tooltip from "antd/es/tooltip";
import { Link } from "react-router";
import { useMay } from "#client/session.tsx";

/** An action on a row. */
export interface RowAction {
  readonly key: string;
  /** A verb. */
  readonly label: string;
  /** Users without this permission do not see it. */
  readonly may?: Needed | null | undefined;
  /** Why it is not possible now; null: it is. */
  readonly disabledReason?: string | null | undefined;
  readonly danger?: boolean;
  /** Opens a page… */
  readonly to?: string;
  /** …or does something. */
  readonly run?: () => void;
}

/** Actions as labels, at most four: none is hidden in a menu. */
export function RowActions({ actions }: { readonly actions: readonly RowAction[] }) {
  const may = useMay();
  return (
    <span className="w-row-actions">
      {actions
        .filter((action) => may(action.may ?? null))
        .map((action) => (
          <ActionLabel key={action.key} action={action} />
        ))}
    </span>
  );
}

function ActionLabel({ action }: { readonly action: RowAction }) {
  const { key, label, disabledReason, to, run, danger } = action;
  if (disabledReason) {
    return (
      <Tooltip title={disabledReason}>
        {/* Focusable, so that keyboard users can read the reason. */}
        <button type="button" className="w-link-button w-off" aria-disabled="true" data-act={key}>
          {label}
        </button>
      </Tooltip>
    );
  }
  if (to !== undefined) {
    return (
      <Link className="w-link" to={to} data-act={key}>
        {label}
      </Link>
    );
  }
  return (
    <button
      type="button"
      data-act={key}
      className={danger ? "w-link-button w-danger" : "w-link-button"}
      onClick={(event) => {
        event.stopPropagation();
        run?.();
      }}
    >
      {label}
    </button>
  );
}
