import { addressings, ipv6Modes, lineQualities } from "@weft/contract/domains/devices/enums.ts";
import type { line } from "@weft/contract/domains/devices/line.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { codeOptions } from "#client/texts.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow, When } from "#kernel/form/field.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { useNodeTexts } from "./node-texts.ts";

export const slots = [1, 2, 3, 4] as const;

interface Props {
  /** Slots of the node's other lines. */
  readonly taken: readonly number[];
}

/** Fields of a WAN line; address and gateway open below a static one. */
export function LineFields({ taken }: Props) {
  const t = useNodeTexts();
  const values = useDraftValues<DraftOf<typeof line>>();
  const slotOptions = slots.map((slot) => ({
    value: slot,
    label: taken.includes(slot) ? t("line.slotTaken", { slot: `wan${slot}` }) : `wan${slot}`,
    disabled: taken.includes(slot),
  }));
  return (
    <>
      <FieldRow>
        <Field name="slot" kind="select" options={slotOptions} help={t("line.slotHelp")} />
        <Field name="interfaceName" placeholder="eth0" />
      </FieldRow>
      <FieldRow>
        <Field name="name" />
        <Field name="isp" help={t("line.ispHelp")} />
      </FieldRow>
      <Field name="addressing" kind="radio" options={codeOptions(t, "addressing", addressings)} />
      {values.addressing === "static" && (
        <When>
          <FieldRow>
            <Field name="ip" kind="mono" placeholder="198.51.100.7/24" />
            <Field name="gateway" kind="mono" placeholder="198.51.100.1" />
          </FieldRow>
        </When>
      )}
      <Field
        name="ipv6Mode"
        kind="radio"
        options={codeOptions(t, "ipv6Mode", ipv6Modes)}
        help={t("line.ipv6Help")}
      />
      {values.ipv6Mode === "static" && (
        <When>
          <FieldRow>
            <Field name="ip6" kind="mono" placeholder="2001:db8:1::2/64" />
            <Field name="gateway6" kind="mono" placeholder="fe80::1" />
          </FieldRow>
        </When>
      )}
      {values.ipv6Mode === "delegated" && (
        <When>
          <Field name="prefixLength" kind="number" help={t("line.prefixHelp")} />
        </When>
      )}
      <FieldRow>
        <Field name="downBandwidth" kind={MegabitsControl} />
        <Field name="upBandwidth" kind={MegabitsControl} />
      </FieldRow>
      <FieldRow>
        <Field
          name="lineQuality"
          kind="select"
          help={t("line.qualityHelp")}
          options={codeOptions(t, "lineQuality", lineQualities)}
        />
        <Field name="mtu" help={t("line.mtuHelp")} />
      </FieldRow>
      <Field name="reachable" help={t("line.reachableHelp")} />
      <FieldRow>
        <Field
          name="publicIp"
          kind="mono"
          placeholder="203.0.113.7"
          help={t("line.publicIpHelp")}
        />
        <Field name="publicPort" kind="number" help={t("line.publicPortHelp")} />
      </FieldRow>
      <Field name="remark" />
    </>
  );
}
