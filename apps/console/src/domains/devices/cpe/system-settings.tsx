import { cpeUnbind } from "@weft/contract/domains/devices/cpe-actions.ts";
import {
  type CpeConfig,
  type CpeItem,
  type cfgInit,
  cpeCfgAdd,
  cpeConfigInit,
  cpeConfigVersions,
  cpeItems,
} from "@weft/contract/domains/devices/cpe-config.ts";
import { xModes } from "@weft/contract/domains/devices/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { DailySchedule } from "@weft/contract/rules/schedule.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import { z } from "zod";
import { call } from "#client/call.ts";
import { May } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useTakesEffect } from "#feedback/device-capabilities.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { ScheduleInput } from "#parts/fields/schedule-input.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { HostLeases } from "./host-leases.tsx";
import { PortTable } from "./port-table.tsx";
import { useSiteTexts } from "./site-texts.ts";

export type Initial = OutputOf<typeof cfgInit>;

/** All items null but those that the form of a section holds: the rest stays as it is. */
const untouched = Object.fromEntries(Object.keys(cpeItems).map((name) => [name, null])) as Record<
  CpeItem,
  null
>;

/** Whether the device carries out any of these items; the others are only kept. */
const useDoesAct = (items: readonly CpeItem[]): boolean => {
  const acts = useTakesEffect();
  return items.some((name) => acts(`cpeConfig.${name}`));
};

interface FormProps {
  readonly node: NodeCard;
  readonly config: CpeConfig;
  readonly items: readonly CpeItem[];
  readonly children: React.ReactNode;
}

/** Some items of the configuration with one button that saves and delivers them. */
function ItemsForm({ node, config, items, children }: FormProps) {
  const t = useSiteTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const picked = Object.fromEntries(items.map((name) => [name, cpeItems[name]]));
  const schema = z.object(picked) as unknown as z.ZodType<object, object>;
  const start = Object.fromEntries(items.map((name) => [name, config[name]]));
  const form = useDraft(schema, start as never);
  const stale = useStaleRow(cpeConfigVersions, config, start);
  const doesAct = useDoesAct(items);
  return (
    <DraftForm
      form={form}
      about="cpeConfig"
      onSubmit={async (values) => {
        const saved = await stale.save(form, (version) =>
          call(cpeCfgAdd, { cpeId: node.id, ...untouched, ...values, ...version }),
        );
        if (saved === null) return;
        toast.done(doesAct ? t("node.saved") : undefined);
        invalidate("cfgInit", "nodeState", "cpe", "task");
      }}
    >
      {stale.panel(form)}
      {children}
      <SaveButton label={t(doesAct ? "system.save" : "act.save")} />
    </DraftForm>
  );
}

const systemItems = [
  "xMode",
  "szCrontab",
  "nXACLEnabled",
  "nDataEncrypt",
  "isCloudManage",
  "byteLog",
  "auditLog",
  "bandwidth",
  "mtu",
  "nodeLifetime",
] as const;

/** Puts the settings of a CPE back to those of a new one, after its name was typed. */
function useReset(node: NodeCard) {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const { act, isActing } = useAction(cpeConfigInit, {
    touches: ["cfgInit", "dnsmasq", "xaclrules", "staticroute", "nodeState", "task"],
    done: t("node.saved"),
  });
  const request = async (): Promise<void> => {
    const isMeant = await confirm({
      title: t("system.initTitle", { name: node.name }),
      body: t("system.initBody"),
      ok: t("system.init"),
      danger: true,
      typed: node.name,
    });
    if (isMeant) await act({ cpeId: node.id });
  };
  return { request, isActing };
}

/** Releases the device of a CPE, after a question that says what ends. */
function useUnbind(node: NodeCard) {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const { act, isActing } = useAction(cpeUnbind, { touches: ["nodeState", "enrolment"] });
  const request = async (): Promise<void> => {
    const isMeant = await confirm({
      title: t("unbind.title", { name: node.name }),
      body: t("unbind.body"),
      ok: t("unbind.action"),
      danger: true,
      typed: node.name,
    });
    if (isMeant) await act({ id: node.id });
  };
  return { request, isActing };
}

/** What concerns the device as a whole. */
export function SystemSettings({
  node,
  initial,
}: {
  readonly node: NodeCard;
  readonly initial: Initial;
}) {
  const t = useSiteTexts();
  const reset = useReset(node);
  const unbind = useUnbind(node);
  // One that was unbound or refused has nothing left that a second click could end.
  const isBound = node.enrolment !== null && node.enrolment !== "rejected";
  return (
    <SectionFrame
      title={t("site.system")}
      note={t("system.delivered")}
      tools={
        <>
          <May code="cpeRemove">
            <Tooltip title={isBound ? undefined : t("unbind.none")}>
              <Button
                danger
                loading={unbind.isActing}
                disabled={!isBound}
                onClick={() => void unbind.request()}
              >
                {t("unbind.action")}
              </Button>
            </Tooltip>
          </May>
          <Button danger loading={reset.isActing} onClick={() => void reset.request()}>
            {t("system.init")}
          </Button>
        </>
      }
    >
      <ItemsForm
        key={String(initial.cpeConfig.updateTime)}
        node={node}
        config={initial.cpeConfig}
        items={systemItems}
      >
        <Field name="xMode" kind="radio" options={codeOptions(t, "xMode", xModes)} />
        <Field name="szCrontab" label={t("system.schedule")} help={t("system.scheduleHelp")}>
          {(control: FieldControl<DailySchedule>) => <ScheduleInput control={control} />}
        </Field>
        <FieldRow>
          <Field name="nXACLEnabled" />
          <Field name="nDataEncrypt" disabled={t("system.encryptHelp")} />
        </FieldRow>
        <FieldRow>
          <Field name="isCloudManage" help={t("system.cloudHelp")} />
          <Field name="byteLog" help={t("system.byteLogHelp")} />
        </FieldRow>
        <FieldRow>
          <Field name="auditLog" help={t("system.auditLogHelp")} />
          <Field name="nodeLifetime" help={t("system.lifetimeHelp")} />
        </FieldRow>
        <FieldRow>
          <Field name="bandwidth" unit="kbit/s" help={t("system.bandwidthHelp")} />
          <Field name="mtu" help={t("system.mtuHelp")} />
        </FieldRow>
      </ItemsForm>
    </SectionFrame>
  );
}

/** Radio settings; a device without a radio shows that before a user relies on them. */
export function WifiSettings({
  node,
  initial,
  can,
}: {
  readonly node: NodeCard;
  readonly initial: Initial;
  readonly can: boolean;
}) {
  const t = useSiteTexts();
  const lacking = can ? false : t("system.cannot", { what: "Wi-Fi" });
  return (
    <SectionFrame title={t("site.wifi")} note={t("effect.notYet")}>
      {!can && <p role="status">▲ {t("system.cannot", { what: "Wi-Fi" })}</p>}
      <ItemsForm
        key={String(initial.cpeConfig.updateTime)}
        node={node}
        config={initial.cpeConfig}
        items={["ssid", "nHidden", "ssid5G", "nHidden5G"]}
      >
        <FieldRow>
          <Field name="ssid" disabled={lacking} />
          <Field name="nHidden" disabled={lacking} />
        </FieldRow>
        <FieldRow>
          <Field name="ssid5G" disabled={lacking} />
          <Field name="nHidden5G" disabled={lacking} />
        </FieldRow>
      </ItemsForm>
    </SectionFrame>
  );
}

/** The LAN side: whether the device assigns addresses, and its ports. */
export function LanSettings({
  node,
  initial,
}: {
  readonly node: NodeCard;
  readonly initial: Initial;
}) {
  const t = useSiteTexts();
  const gives = useDoesAct(["nDynamicdhcp"]);
  return (
    <SectionFrame title={t("site.lan")} note={t(gives ? "lan.dhcpRange" : "effect.notYet")}>
      <ItemsForm
        key={String(initial.cpeConfig.updateTime)}
        node={node}
        config={initial.cpeConfig}
        items={["nDynamicdhcp"]}
      >
        <Field name="nDynamicdhcp" />
      </ItemsForm>
      {gives && <HostLeases node={node} />}
      <h3>{t("system.ports")}</h3>
      <PortTable ports={initial.ports} />
    </SectionFrame>
  );
}
