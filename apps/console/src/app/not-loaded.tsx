import { Component, type ReactNode } from "react";
import { commonTexts } from "#client/texts.ts";
import { asChunkError, ChunkLoadError } from "./load-view.ts";

interface Props {
  readonly children: ReactNode;
}

/** In place of the whole console when its first files do not come: no router is there to say so. */
export class NotLoaded extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: asChunkError(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const t = commonTexts();
    const isChunk = error instanceof ChunkLoadError;
    return (
      <section className="w-state-page">
        <p className="w-state-code">{isChunk ? error.name : "500"}</p>
        <h1>{t(isChunk ? "page.notLoaded" : "page.broken")}</h1>
        <p className="w-quiet">{t(isChunk ? "page.notLoadedWhat" : "page.brokenWhat")}</p>
        <p className="w-state-ways">
          <button type="button" className="w-button" onClick={() => location.reload()}>
            {t("page.reload")}
          </button>
        </p>
      </section>
    );
  }
}
