import type { Needed } from "@weft/contract/permissions.ts";
import Dropdown from "antd/es/dropdown/dropdown";
import Tooltip from "antd/es/tooltip";
import { Link } from "react-router";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";

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

interface Props {
  readonly actions: readonly RowAction[];
  /** True: the first as a label, the others in a menu, for tables that have no room for all. */
  readonly isFolded?: boolean;
}

/** Actions as labels, at most four. */
export function RowActions({ actions, isFolded = false }: Props) {
  const may = useMay();
  const allowed = actions.filter((action) => may(action.may ?? null));
  const shown = isFolded ? allowed.slice(0, 1) : allowed;
  const more = isFolded ? allowed.slice(1) : [];
  return (
    <span className="w-row-actions">
      {shown.map((action) => (
        <ActionLabel key={action.key} action={action} />
      ))}
      {more.length > 0 && <MoreActions actions={more} />}
    </span>
  );
}

const itemOf = ({ key, label, disabledReason, danger, to, run }: RowAction) => ({
  key,
  label:
    to === undefined || disabledReason ? (
      <span title={disabledReason ?? undefined}>{label}</span>
    ) : (
      <Link to={to}>{label}</Link>
    ),
  disabled: Boolean(disabledReason),
  danger: danger ?? false,
  onClick: () => run?.(),
});

function MoreActions({ actions }: Pick<Props, "actions">) {
  const t = useTexts();
  return (
    <Dropdown trigger={["click"]} menu={{ items: actions.map(itemOf) }}>
      <button type="button" className="w-link-button" onClick={(event) => event.stopPropagation()}>
        {t("act.more")}
      </button>
    </Dropdown>
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
