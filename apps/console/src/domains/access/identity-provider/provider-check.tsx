import {
  type identityProvider,
  identityProviderCheck,
} from "@weft/contract/domains/access/identity-provider.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useEffect, useState } from "react";
import { CallError, call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import styles from "./identity-provider.module.css";
import { providerMessages } from "./messages.ts";

interface Props {
  readonly row: RowOf<typeof identityProvider>;
  readonly onClose: () => void;
}

type Result = OutputOf<typeof identityProviderCheck>;

/** Reads what a login needs of the provider, and shows what failed. */
export function ProviderCheck({ row, onClose }: Props) {
  const t = useTexts(providerMessages);
  const [result, setResult] = useState<Result | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { id } = row;
  useEffect(() => {
    const ended = new AbortController();
    void call(identityProviderCheck, { id }, { signal: ended.signal })
      .then(({ data }) => setResult(data))
      .catch((error: unknown) => {
        if (error instanceof CallError) setFault(error.message);
      });
    return () => ended.abort();
  }, [id]);
  return (
    <Modal open title={t("provider.checkOf", { name: row.name })} footer={null} onCancel={onClose}>
      <div className={styles.check} aria-live="polite">
        {result === null ? (fault ?? t("provider.checking")) : <Outcome result={result} />}
        {result && (
          <ShownSecret
            label={t("provider.redirect")}
            text={`${location.origin}${new URL(result.redirectUri).pathname}`}
          />
        )}
      </div>
    </Modal>
  );
}

function Outcome({ result: { failed, detail } }: { readonly result: Result }) {
  const t = useTexts(providerMessages);
  if (failed === null) {
    return (
      <span>
        <StatusGlyph glyph="ok" /> {t("provider.works")}
      </span>
    );
  }
  return (
    <div>
      <StatusGlyph glyph="bad" /> {t("provider.failed", { step: t.code("providerStep", failed) })}
      <p className={styles.detail}>{detail}</p>
    </div>
  );
}
