import {
  paramConfigEdit,
  paramConfigGet,
  paramDraft,
  paramVersions,
} from "@weft/contract/domains/enterprises/param-config.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { useNumberParam } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { EnterpriseChoice } from "#parts/enterprise-choice.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { timeZones } from "#parts/fields/time-zones.ts";
import { PageHead } from "#ui/page-head.tsx";
import styles from "./param-config.module.css";

const paramMessages = defineMessages({
  "param.title": ["企业参数配置", "Enterprise parameter config"],
  "param.enterprise": ["企业", "Enterprise"],
  "param.noticeHelp": [
    "到期前这么多天起算作即将到期",
    "Number of days before its end from which an item counts as due soon",
  ],
  "param.zoneHelp": [
    "邮件、短信和站内告警中的时间按此时区书写",
    "E-mails, SMS and station messages show times in this zone",
  ],
  "param.strategyHelp": [
    "新建的下级企业从此策略开始，可另行更改",
    "New subordinates start with it; it can be changed for each",
  ],
  "param.logHelp": [
    "设备日志保留的天数，之后每小时清理一次；流记录最多保留 90 天",
    "How long logs of devices are kept; older ones are removed hourly. Flow records stay 90 days at most",
  ],
  "param.days": ["天", "days"],
});

type Params = OutputOf<typeof paramConfigGet>;
const useParamTexts = () => useTexts(paramMessages);

/** Values that the screens of an enterprise work with (section 2.3). */
export default function ParamConfigPage() {
  const t = useParamTexts();
  const { groupid: ownGroupid } = useSession();
  const groupid = useNumberParam("groupid") ?? ownGroupid;
  const result = useCall(paramConfigGet, { groupid });
  return (
    <>
      <PageHead
        title={t("param.title")}
        actions={<EnterpriseChoice label={t("param.enterprise")} groupid={groupid} />}
      />
      <section className={`w-card ${styles.form}`}>
        <Await result={result} rows={5}>
          {(params) => <ParamForm key={groupid} params={params} />}
        </Await>
      </section>
    </>
  );
}

function ParamForm({ params }: { readonly params: Params }) {
  const t = useParamTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { groupid, rowVersion: _, ...start } = params;
  const form = useDraft(paramDraft, start);
  const stale = useStaleRow(paramVersions, params, start);
  const save = async (draft: z.output<typeof paramDraft>): Promise<void> => {
    const saved = await stale.save(form, (version) =>
      call(paramConfigEdit, { groupid, ...draft, ...version }),
    );
    if (saved === null) return;
    toast.done();
    // These lists show what is due soon.
    invalidate("paramConfig", "dashboard", "cpe", "pop", "account");
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      <Field name="expireNoticeDays" unit={t("param.days")} help={t("param.noticeHelp")} />
      <Field
        name="timezone"
        kind="select"
        options={timeZones(start.timezone)}
        help={t("param.zoneHelp")}
      />
      <Field
        name="defaultPopStrategyId"
        kind="combo"
        endpoint={popStrategy.ops.combo}
        help={t("param.strategyHelp")}
      />
      <Field name="logDays" unit={t("param.days")} help={t("param.logHelp")} />
      <SaveButton />
    </DraftForm>
  );
}
