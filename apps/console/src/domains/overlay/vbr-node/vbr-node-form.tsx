import { pop } from "@weft/contract/domains/devices/pop.ts";
import { clouds } from "@weft/contract/domains/overlay/enums.ts";
import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { useMay } from "#client/session.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { useVbrNodeTexts, type VbrNodeRow } from "./vbr-node-texts.ts";

const newNode: DraftOf<typeof vbrNode> = {
  name: "",
  groupid: null,
  cloud: "aliyun",
  popId: null,
  vlan: null,
  localIp: null,
  peerIp: null,
  bandwidth: null,
  remark: "",
};

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: VbrNodeRow | null;
  readonly onClose: () => void;
}

/** The attachment of a POP to a cloud; every change waits for its audit. */
export function VbrNodeForm({ open, row, onClose }: Props) {
  const t = useVbrNodeTexts();
  const mayPop = useMay()("vbrNodePopView");
  return (
    <ResourceForm
      resource={vbrNode}
      open={open}
      row={row}
      title={row ? t("vbrNode.editOf", { name: row.name }) : t("vbrNode.add")}
      initial={newNode}
      width={720}
      onClose={onClose}
    >
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <FieldRow>
        <Field name="cloud" kind="select" options={codeOptions(t, "cloud", clouds)} />
        {mayPop && <Field name="popId" kind="combo" endpoint={pop.ops.combo} />}
      </FieldRow>
      <FieldRow>
        <Field name="vlan" help={t("vbrNode.vlanHelp")} />
        <Field name="bandwidth" kind={MegabitsControl} />
      </FieldRow>
      <FieldRow>
        <Field name="localIp" kind="mono" placeholder="169.254.10.1" />
        <Field name="peerIp" kind="mono" placeholder="169.254.10.2" />
      </FieldRow>
      <Field name="remark" help={t("vbrNode.again")} />
    </ResourceForm>
  );
}
