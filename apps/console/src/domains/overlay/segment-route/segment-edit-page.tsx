import { segmentRoute, segmentRouteGetById } from "@weft/contract/domains/overlay/segment-route.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { Link, useNavigate } from "react-router";
import { call } from "#client/call.ts";
import { paths, useBackTo, useNumberParam } from "#client/paths.ts";
import { May } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { SaveButton } from "#parts/fields/submit.tsx";
import { DetailHead } from "#ui/detail-head.tsx";
import { segmentMessages } from "./messages.ts";
import { SegmentFields } from "./segment-fields.tsx";
import styles from "./segment-route.module.css";
import { SegmentStateText } from "./segment-state.tsx";

type Row = RowOf<typeof segmentRoute>;

const draftOf = (row: Row): DraftOf<typeof segmentRoute> => ({
  name: row.name,
  groupid: row.groupid,
  cpeId: row.cpeId,
  popIds: row.popIds,
  destination: row.destination,
  metric: row.metric,
  enable: row.enable,
  remark: row.remark,
});

/** The edit screen of the segment route that the address names, `?id=` (section 2.4). */
export default function SegmentEditPage() {
  const t = useTexts(segmentMessages);
  const id = useNumberParam("id");
  const { data, error, refetch } = useCall(segmentRouteGetById, id === null ? null : { id });
  const back = useBackTo(paths.segmentRoute());
  return (
    <>
      <DetailHead
        back={
          <Link className="w-link" to={back}>
            ← {t("segment.back")}
          </Link>
        }
        title={t("segment.editOf", { name: data?.name ?? "" })}
        sentence={data && <SegmentStateText row={data} />}
      />
      <section className={`w-card ${styles.form}`}>
        {id === null ? (
          <EmptyState kind="good" text={t("segment.pick")} />
        ) : data ? (
          <EditForm key={id} row={data} back={back} />
        ) : error ? (
          <Failed error={error} retry={refetch} />
        ) : (
          <Loading rows={6} />
        )}
      </section>
    </>
  );
}

function EditForm({ row, back }: { readonly row: Row; readonly back: string }) {
  const toast = useToast();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useDraft(segmentRoute.draft, draftOf(row));
  const stale = useStaleRow(segmentRoute, row, draftOf(row));
  const save = async (draft: DraftOf<typeof segmentRoute>): Promise<void> => {
    const saved = await stale.save(form, (version) =>
      call(segmentRoute.ops.edit, { ...draft, ...version, id: row.id }),
    );
    if (saved === null) return;
    toast.done();
    invalidate(segmentRoute.name);
    await navigate(back);
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      <SegmentFields />
      <May code={segmentRoute.may.edit ?? "popConfig"}>
        <SaveButton />
      </May>
    </DraftForm>
  );
}
