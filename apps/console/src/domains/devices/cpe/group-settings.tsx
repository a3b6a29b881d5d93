import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cpeEditCugConfig, cpeSaveCugEnable } from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeEditCtg } from "@weft/contract/domains/enterprises/enterprise.ts";
import Switch from "antd/es/switch";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { call } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { Await } from "#feedback/await.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useTakesEffect } from "#feedback/device-capabilities.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { BandwidthField, megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { StateText } from "#ui/glyph.tsx";
import type { CpeRow } from "./cpe-texts.ts";
import { useSiteTexts } from "./site-texts.ts";

/** What a CPE is in closed user groups (CUG), and whether it is reported to a partner carrier (CTG). */
export function GroupSettings({ node }: { readonly node: NodeCard }) {
  const t = useSiteTexts();
  const acts = useTakesEffect();
  const result = useCall(cpeFindById, { id: node.id });
  return (
    <SectionFrame
      title={t("site.groups")}
      {...(!acts("cpe.cugEnable") && { note: t("groups.kept") })}
    >
      <Await result={result} rows={4}>
        {(row) => (
          <>
            <h3>{t("groups.cug")}</h3>
            <p className="w-quiet">
              {t("groups.cugHelp")}{" "}
              <Link className="w-link" to={paths.cug(row.groupid)}>
                {t("groups.toCug")}
              </Link>
            </p>
            <CugSwitch row={row} />
            {/* A switch beside it changes the row too, and must leave what is typed here. */}
            <CugBandwidth key={String(row.cugBandwidth)} row={row} />
            <h3>{t("groups.ctg")}</h3>
            {!acts("cpe.isPush") && <p className="w-quiet">{t("groups.ctgKept")}</p>}
            <CtgSwitch row={row} />
          </>
        )}
      </Await>
    </SectionFrame>
  );
}

interface RowProps {
  readonly row: CpeRow;
}

/** On acts without a question; off takes something away and is confirmed by name. */
function CugSwitch({ row }: RowProps) {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const { act, isActing } = useAction(cpeSaveCugEnable, { touches: ["cpe", "cug"] });
  const change = async (enable: boolean): Promise<void> => {
    const question = {
      title: t("groups.cugOffTitle", { name: row.alias }),
      body: t("groups.cugOffBody"),
      ok: t("act.disable"),
      danger: true,
    };
    if (!enable && !(await confirm(question))) return;
    await act({ id: row.id, enable, hostid: row.hostid ?? "" });
  };
  return (
    <Labelled label={t.field("cugEnable")} isOn={row.cugEnable} may="cpeEditCugEnable">
      {(id) => (
        <Switch
          aria-labelledby={id}
          checked={row.cugEnable}
          loading={isActing}
          onChange={(on) => void change(on)}
        />
      )}
    </Labelled>
  );
}

function CtgSwitch({ row }: RowProps) {
  const t = useSiteTexts();
  const { act, isActing } = useAction(cpeEditCtg, { touches: ["cpe"] });
  return (
    <Labelled
      label={t.field("isPush")}
      help={t("groups.ctgHelp")}
      isOn={row.isPush}
      may="cpeEditCTG"
    >
      {(id) => (
        <Switch
          aria-labelledby={id}
          checked={row.isPush}
          loading={isActing}
          onChange={(isPush) => void act({ cpeId: row.id, isPush })}
        />
      )}
    </Labelled>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly help?: string;
  readonly isOn: boolean;
  readonly may: "cpeEditCugEnable" | "cpeEditCTG";
  readonly children: (labelId: string) => ReactNode;
}

/** A switch with its name; without permission it is read-only. */
function Labelled({ label, help, isOn, may, children }: LabelledProps) {
  const t = useSiteTexts();
  const id = useId();
  const canTurn = useMay()(may);
  return (
    <div className="w-field" data-row>
      <span id={id} className="w-field-label">
        {label}
      </span>
      {canTurn ? (
        children(id)
      ) : (
        <StateText glyph={isOn ? "ok" : "disabled"} label={t.code("enable", isOn)} />
      )}
      <div className="w-field-help">{help}</div>
    </div>
  );
}

function CugBandwidth({ row }: RowProps) {
  const t = useSiteTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(cpeEditCugConfig.input, {
    cpeId: row.id,
    ...(row.cugBandwidth !== null && { bandwidth: row.cugBandwidth }),
  });
  const now = megabitsOf(row.cugBandwidth);
  if (!useMay()("cpeEditCug")) {
    return (
      <p>
        {t.field("cugBandwidth")} {now === null ? t("groups.noLimit") : `${now} Mbit/s`}
      </p>
    );
  }
  return (
    <DraftForm
      form={form}
      onSubmit={async (values) => {
        await call(cpeEditCugConfig, values);
        toast.done();
        invalidate("cpe");
      }}
    >
      <BandwidthField name="bandwidth" help={t("groups.bandwidthHelp")} />
      <SaveButton />
    </DraftForm>
  );
}
