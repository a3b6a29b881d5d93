import { cpeAreaTree } from "@weft/contract/domains/devices/cpe-area.ts";
import {
  cpeBatchJoin,
  cpeBatchMove,
  cpeBatchReboot,
} from "@weft/contract/domains/devices/cpe-batch.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { useCall } from "#client/use-call.ts";
import { Field } from "#kernel/form/field.tsx";
import type { Target } from "#parts/batch/target.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { areaTree } from "./area-tree.ts";
import { useSiteTexts } from "./site-texts.ts";

const spacesShown = 1_000;

/** What each dialog of an action on many CPEs is given. */
export interface BatchFormProps {
  readonly target: Target;
  readonly groupid: number | null;
  readonly onStarted: (batch: { id: number }) => void;
  readonly onClose: () => void;
}

/** Adds selected CPEs to a network space. */
export function JoinDialog({ target, groupid, onStarted, onClose }: BatchFormProps) {
  const t = useSiteTexts();
  const order = { orderByColumn: "name", isAsc: "asc" } as const;
  const { data = [] } = useCall(netSpace.ops.list, {
    name: null,
    groupid,
    page: 1,
    limit: spacesShown,
    ...order,
  });
  return (
    <CallDialog
      endpoint={cpeBatchJoin}
      open
      title={t("batch.joinOf", { count: target.count })}
      initial={target.input}
      ok={t("batch.join")}
      touches={[]}
      onAnswer={onStarted}
      onClose={onClose}
    >
      <p className="w-quiet">{t("batch.joinHelp")}</p>
      <Field
        name="netSpaceId"
        kind="select"
        options={data.map(({ id, name, enterpriseName }) => ({
          value: id,
          label: `${name} · ${enterpriseName}`,
        }))}
      />
    </CallDialog>
  );
}

/** Moves selected CPEs to an area. */
export function MoveDialog({ target, groupid, onStarted, onClose }: BatchFormProps) {
  const t = useSiteTexts();
  const { data = [] } = useCall(cpeAreaTree, { groupid });
  return (
    <CallDialog
      endpoint={cpeBatchMove}
      open
      title={t("batch.moveOf", { count: target.count })}
      initial={{ ...target.input, toAreaId: null }}
      ok={t("batch.move")}
      touches={[]}
      onAnswer={onStarted}
      onClose={onClose}
    >
      <p className="w-quiet">{t("batch.moveHelp")}</p>
      <Field
        name="toAreaId"
        kind="select"
        options={areaTree(data).map(({ id, path }) => ({ value: id, label: path }))}
        placeholder={t("area.none")}
      />
    </CallDialog>
  );
}

/** Restarts selected CPEs after the login password was typed once more. */
export function BatchRebootDialog({ target, onStarted, onClose }: BatchFormProps) {
  const t = useSiteTexts();
  return (
    <CallDialog
      endpoint={cpeBatchReboot}
      open
      title={t("batch.rebootOf", { count: target.count })}
      initial={{ ...target.input, password: "" }}
      ok={t("batch.reboot")}
      touches={[]}
      onAnswer={onStarted}
      onClose={onClose}
    >
      <p className="w-quiet">{t("batch.rebootHelp")}</p>
      <Field
        name="password"
        kind="password"
        label={t("command.password")}
        autoComplete="current-password"
      />
    </CallDialog>
  );
}
