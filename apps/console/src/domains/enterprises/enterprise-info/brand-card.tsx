import { themeColours } from "@weft/contract/domains/access/theme.ts";
import {
  type BrandImage,
  brandEdit,
  brandEditImage,
  brandGet,
  brandImages,
  brandRemoveImage,
  brandVersions,
} from "@weft/contract/domains/enterprises/brand.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useEffect, useRef } from "react";
import { urlOf } from "#client/call.ts";
import { loadSession } from "#client/load-session.ts";
import { useOpened } from "#client/opened.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { Card } from "#ui/card.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import styles from "./enterprise-info.module.css";
import { enterpriseInfoMessages } from "./messages.ts";

type BrandOf = OutputOf<typeof brandGet>;
const useInfoTexts = () => useTexts(enterpriseInfoMessages);

/** How the console looks to this agent and to all below it. */
export function BrandCard({ groupid }: { readonly groupid: number }) {
  const t = useInfoTexts();
  const { data, error, refetch } = useCall(brandGet, { groupid });
  const { opened, open, close } = useOpened();
  const shown = useRef<BrandOf | null>(null);
  useEffect(() => {
    // The frame around this page uses the brand as well.
    if (data && shown.current && shown.current !== data) void loadSession().catch(() => undefined);
    shown.current = data ?? null;
  }, [data]);
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Loading rows={4} />;
  return (
    <Card
      title={t("brand.title")}
      extra={
        <Button size="small" onClick={() => open("brand")}>
          {t("info.edit")}
        </Button>
      }
    >
      <Facts brand={data} />
      <p className="w-quiet">{t("brand.help")}</p>
      <EditDialog brand={data} open={opened?.what === "brand"} onClose={close} />
    </Card>
  );
}

function Facts({ brand }: { readonly brand: BrandOf }) {
  const t = useInfoTexts();
  const { name, color, host, above } = brand;
  const from = (ownValue: string | null, inherited: string | null) =>
    ownValue ?? (inherited === null ? <Missing /> : t("brand.inherited", { value: inherited }));
  const colourName = (value: BrandOf["color"]) => value && t(`brand.color.${value}`);
  return (
    <KeyValue
      items={[
        { label: t("brand.name"), value: from(name, above.name) },
        { label: t("brand.color"), value: from(colourName(color), colourName(above.color)) },
        { label: t("brand.host"), value: host ?? <Missing /> },
        ...brandImages.map((kind) => ({
          label: t(`brand.${kind}`),
          value: <Picture kind={kind} brand={brand} />,
        })),
      ]}
    />
  );
}

interface PictureProps {
  readonly kind: BrandImage;
  readonly brand: BrandOf;
}

function Picture({ kind, brand }: PictureProps) {
  const t = useInfoTexts();
  const { groupid } = brand;
  const upload = useAction(brandEditImage);
  const remove = useAction(brandRemoveImage);
  const input = useRef<HTMLInputElement>(null);
  const path = brand[kind] ?? brand.above[kind];
  const label = t(`brand.${kind}`);
  const pick = async (file: File): Promise<void> => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    await upload.act({ groupid, kind, file: { name: file.name, bytes } });
  };
  return (
    <div className={styles.picture}>
      <span className={styles.pictureBox}>
        {path ? <img src={urlOf(path)} alt={label} /> : <Missing />}
      </span>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={t("brand.choose", { name: label })}
        hidden
        onChange={({ target }) => {
          const [picked] = target.files ?? [];
          if (picked) void pick(picked);
          target.value = "";
        }}
      />
      <Button size="small" loading={upload.isActing} onClick={() => input.current?.click()}>
        {t("brand.choose", { name: label })}
      </Button>
      {brand[kind] && (
        <Button
          size="small"
          loading={remove.isActing}
          onClick={() => void remove.act({ groupid, kind })}
        >
          {t("act.remove")}
        </Button>
      )}
    </div>
  );
}

interface EditProps {
  readonly brand: BrandOf;
  readonly open: boolean;
  readonly onClose: () => void;
}

function EditDialog({ brand, open, onClose }: EditProps) {
  const { groupid, name, color, host } = brand;
  const t = useInfoTexts();
  const isOperator = useSession().roleType === 0;
  const options = themeColours.map((value) => ({ value, label: t(`brand.color.${value}`) }));
  return (
    <CallDialog
      endpoint={brandEdit}
      open={open}
      title={t("brand.editTitle")}
      initial={{ groupid, name, color, host }}
      edits={{ of: brandVersions, row: brand }}
      ok={t("act.save")}
      touches={["brand"]}
      onClose={onClose}
    >
      <Field name="name" label={t("brand.name")} />
      <Field name="color" kind="select" label={t("brand.color")} options={options} />
      <Field
        name="host"
        label={t("brand.host")}
        help={t("brand.hostHelp")}
        disabled={isOperator ? false : t("brand.hostOperator")}
      />
    </CallDialog>
  );
}
