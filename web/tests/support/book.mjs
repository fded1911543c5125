// Chapters of the book, as they are served beside the page.

export const chapter = (page, name) => page.goto(new URL(`/book/${name}.html`, page.url()).href);

/** The ways from a chapter to the page, each with the program it opens. */
export const tries = (page) => page.locator('a.try');
