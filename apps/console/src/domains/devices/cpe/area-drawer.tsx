import {
  cpeAreaAdd,
  cpeAreaDraft,
  cpeAreaEdit,
  cpeAreaRemove,
  cpeAreaTree,
} from "@weft/contract/domains/devices/cpe-area.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { May, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { nameColumn, numberColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { DialogFoot } from "#parts/fields/submit.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { areaTree } from "./area-tree.ts";
import { useSiteTexts } from "./site-texts.ts";

type Area = OutputOf<typeof cpeAreaTree>[number];
type Draft = z.output<typeof cpeAreaDraft>;

interface Props {
  /** Whose areas; null: the caller's own enterprise gets new ones. */
  readonly groupid: number | null;
  readonly onShow: (areaId: number) => void;
  readonly onClose: () => void;
}

/** Areas in which an enterprise sorts its CPEs, each with how many are in it (section 6). */
export function AreaDrawer({ groupid, onShow, onClose }: Props) {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const { data = [], isFirstLoad, error, refetch } = useCall(cpeAreaTree, { groupid });
  const [edited, setEdited] = useState<Area | "new" | null>(null);
  const remove = useAction(cpeAreaRemove, { touches: ["cpe"] });
  const confirmRemoval = async ({ id, name }: Area): Promise<void> => {
    const title = t("area.removeTitle", { name });
    const isMeant = await confirm({
      title,
      body: t("area.removeBody"),
      ok: t("act.remove"),
      danger: true,
    });
    if (isMeant) await remove.act({ ids: [id] });
  };
  const actions = (row: Area): RowAction[] => [
    { key: "show", label: t("area.show"), run: () => onShow(row.id) },
    { key: "edit", label: t("act.edit"), may: "cpeAreaEdit", run: () => setEdited(row) },
    {
      key: "remove",
      label: t("act.remove"),
      may: "cpeAreaRemove",
      danger: true,
      run: () => void confirmRemoval(row),
    },
  ];
  return (
    <Drawer
      open
      size={720}
      title={t("area.title")}
      onClose={onClose}
      extra={
        <May code="cpeAreaAdd">
          <Button type="primary" onClick={() => setEdited("new")}>
            {t("area.add")}
          </Button>
        </May>
      }
    >
      {edited && (
        <AreaForm
          key={edited === "new" ? 0 : edited.id}
          area={edited === "new" ? null : edited}
          areas={data}
          groupid={groupid}
          onClose={() => setEdited(null)}
        />
      )}
      <PlainTable
        rows={areaTree(data)}
        rowKey="id"
        columns={[
          nameColumn("name", t.field("name"), (row: Area & { path: string }) => ({
            text: row.path,
          })),
          numberColumn("cpeCount", t("area.cpes"), (row: Area) => row.cpeCount, { width: 88 }),
        ]}
        actions={actions}
        isFirstLoad={isFirstLoad}
        error={error}
        retry={refetch}
        empty={t("area.empty")}
      />
    </Drawer>
  );
}

interface FormProps {
  readonly area: Area | null;
  readonly areas: readonly Area[];
  readonly groupid: number | null;
  readonly onClose: () => void;
}

function AreaForm({ area, areas, groupid, onClose }: FormProps) {
  const t = useSiteTexts();
  const toast = useToast();
  const session = useSession();
  const invalidate = useInvalidate();
  const form = useDraft(cpeAreaDraft, {
    groupid: area?.groupid ?? groupid ?? session.groupid,
    pId: area?.pId ?? 0,
    name: area?.name ?? "",
    sort: area?.sort ?? 0,
  });
  const above = areaTree(areas).filter(({ id }) => id !== area?.id);
  const save = async (draft: Draft): Promise<void> => {
    if (area) await call(cpeAreaEdit, { id: area.id, ...draft });
    else await call(cpeAreaAdd, draft);
    toast.done();
    invalidate("cpeArea", "cpe");
    onClose();
  };
  return (
    <section
      className="w-card"
      aria-label={area ? t("area.editOf", { name: area.name }) : t("area.add")}
    >
      <DraftForm form={form} onSubmit={save}>
        <FieldRow>
          <Field name="name" />
          <Field
            name="groupid"
            kind={EnterpriseControl}
            disabled={area ? t("area.title") : false}
          />
        </FieldRow>
        <FieldRow>
          <Field
            name="pId"
            kind="select"
            options={[
              { value: 0, label: t("area.none") },
              ...above.map(({ id, path }) => ({ value: id, label: path })),
            ]}
          />
          <Field name="sort" />
        </FieldRow>
        <DialogFoot ok={t("act.save")} onClose={onClose} />
      </DraftForm>
    </section>
  );
}
