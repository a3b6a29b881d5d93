import {
  popCfg,
  popCfgEdit,
  popConfigVersions,
} from "@weft/contract/domains/devices/cpe-config.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { DailySchedule } from "@weft/contract/rules/schedule.ts";
import { z } from "zod";
import { call } from "#client/call.ts";
import type { CallResult } from "#client/use-call.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { ScheduleInput } from "#parts/fields/schedule-input.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { usePopTexts } from "./pop-texts.ts";

type PopConfig = OutputOf<typeof popCfg>;

/** What the form holds: an item is never nothing here. */
const schema = z.object({ mtu: popCfg.output.shape.mtu, szCrontab: popCfg.output.shape.szCrontab });

interface Props {
  readonly node: NodeCard;
  readonly result: CallResult<typeof popCfg>;
}

/** What concerns a POP as a whole. */
export function PopSystem({ node, result }: Props) {
  const t = usePopTexts();
  const { data, error, refetch } = result;
  return (
    <SectionFrame title={t("pop.system")}>
      {data ? (
        <SystemForm key={String(data.updateTime)} node={node} config={data} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading rows={3} />
      )}
    </SectionFrame>
  );
}

function SystemForm({ node, config }: { readonly node: NodeCard; readonly config: PopConfig }) {
  const t = usePopTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { mtu, szCrontab } = config;
  const start = { mtu, szCrontab };
  const form = useDraft(schema, start);
  const stale = useStaleRow(popConfigVersions, config, start);
  return (
    <DraftForm
      form={form}
      onSubmit={async (values) => {
        const saved = await stale.save(form, (version) =>
          call(popCfgEdit, { popId: node.id, ...values, ...version }),
        );
        if (saved === null) return;
        toast.done(t("node.saved"));
        invalidate("popCfg", "nodeState", "pop", "task");
      }}
    >
      {stale.panel(form)}
      <Field name="mtu" help={t("pop.mtuHelp")} />
      <Field name="szCrontab" help={t("pop.scheduleHelp")}>
        {(control: FieldControl<DailySchedule>) => <ScheduleInput control={control} />}
      </Field>
      <SaveButton label={t("pop.save")} />
    </DraftForm>
  );
}
