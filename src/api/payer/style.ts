/** The look of the few pages between the merchant and the issuer: readable at 320 px, light and dark. */
export const PAYER_STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 1.5rem; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; }
button, a.button { display: inline-block; box-sizing: border-box; width: 100%; padding: .75rem 1rem; border: 0; border-radius: .5rem;
  background: #1a56db; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:focus-visible, a.button:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
iframe { position: absolute; width: 1px; height: 1px; border: 0; opacity: 0; }
`;
