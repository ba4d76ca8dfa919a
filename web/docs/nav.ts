/** Marks in the navigation where the reader is, and opens it on a phone. Links work without it. */
export function mountNav(): void {
  mountMenu();
  followReader();
}

const OPEN = "is-open";

/** On a narrow screen the contents are below the text; with a script they open over it. */
function mountMenu(): void {
  const menu = document.querySelector<HTMLAnchorElement>("[data-menu]");
  const contents = document.getElementById("contents");
  if (menu === null || contents === null) return;
  document.documentElement.classList.add("has-script");
  menu.setAttribute("role", "button");
  const show = (isOpen: boolean) => {
    contents.classList.toggle(OPEN, isOpen);
    menu.setAttribute("aria-expanded", String(isOpen));
  };
  show(false);
  menu.addEventListener("click", (event) => {
    event.preventDefault();
    show(!contents.classList.contains(OPEN));
    if (contents.classList.contains(OPEN)) contents.querySelector("a")?.focus({ preventScroll: true });
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      menu.click();
    }
  });
  contents.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") !== null) show(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !contents.classList.contains(OPEN)) return;
    show(false);
    menu.focus();
  });
}

/** A section is read when its beginning has passed the upper part of the window. */
function followReader(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-to]")];
  const places = links.flatMap((link) => {
    const place = document.getElementById(link.dataset.to ?? "");
    return place === null ? [] : [{ link, place }];
  });
  if (places.length === 0) return;
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const line = innerHeight / 4;
    const passed = places.filter(({ place }) => place.getBoundingClientRect().top < line);
    const next = passed.at(-1)?.link;
    if (next === current) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "location");
    current = next;
    keepInView(next);
  };
  let isPlanned = false;
  addEventListener(
    "scroll",
    () => {
      if (isPlanned) return;
      isPlanned = true;
      requestAnimationFrame(() => {
        isPlanned = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** Scrolls the list alone: `scrollIntoView` would move the page as well. */
function keepInView(link: HTMLAnchorElement | undefined): void {
  const list = link?.closest("nav, aside");
  if (link === undefined || list === null || list === undefined) return;
  const { top, bottom } = link.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 3;
}
