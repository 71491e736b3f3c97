#include "figures/html.h"

#include <stdio.h>
#include <string.h>

#include "weir/profile.h"
#include "weir/weir.h"

static const char style[] =
    ":root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #555; --line: #ddd; "
    "--strong: #888; --head: #f4f4f4; --own: #eef5fb; --warning: #fdf1e8; --card: #f3f7fa; "
    "--edge: #0072b2; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ":root { --ink: #e6e6e6; --paper: #17191c; --soft: #a8adb3; --line: #3a3d42; "
    "--strong: #767b82; --head: #23262b; --own: #1d2b38; --warning: #38281b; --card: #1f242a; "
    "--edge: #56b4e9; }\n"
    "}\n"
    "*, ::before, ::after { box-sizing: border-box; }\n"
    "body { font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper); "
    "max-width: 82rem; margin: 1.5rem auto; padding: 0 1rem; display: grid; "
    "grid-template: 'contents header' auto 'contents main' 1fr / 12.5rem minmax(0, 1fr); "
    "column-gap: 2rem; }\n"
    "header { grid-area: header; }\n"
    "header > p, main > p, main > ul { max-width: 62rem; }\n"
    "main { grid-area: main; min-width: 0; }\n"
    "nav { grid-area: contents; font-size: 0.92rem; }\n"
    "nav ul { position: sticky; top: 1.5rem; list-style: none; margin: 0.6rem 0; padding: 0; "
    "border-left: 2px solid var(--line); }\n"
    "nav li { padding: 0.2rem 0 0.2rem 0.8rem; line-height: 1.3; }\n"
    "nav a { color: inherit; text-decoration: none; }\n"
    "nav a:hover { text-decoration: underline; }\n"
    "h1 { font-size: 1.8rem; line-height: 1.2; margin-bottom: 0.2rem; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }\n"
    "h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: 0.92rem; margin: 0.6rem 0 1rem; }\n"
    "th, td { padding: 0.22rem 0.7rem; text-align: right; border-bottom: 1px solid var(--line); "
    "white-space: nowrap; }\n"
    "th { font-weight: 600; background: var(--head); vertical-align: bottom; }\n"
    "th.text, td.text { text-align: left; }\n"
    "td.wrap { white-space: normal; min-width: 8rem; overflow-wrap: anywhere; }\n"
    "th.group { text-align: center; }\n"
    ".own { background: var(--own); }\n"
    "tr.best td, td.best { font-weight: 600; background: var(--own); }\n"
    "tr.first td { border-top: 2px solid var(--strong); }\n"
    ".verdict { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); "
    "gap: 1rem; }\n"
    ".card { border-left: 4px solid var(--edge); background: var(--card); "
    "padding: 0.6rem 0.9rem; min-width: 0; }\n"
    ".card h3 { margin: 0 0 0.3rem; }\n"
    ".card p { margin: 0.3rem 0; font-size: 0.95rem; }\n"
    ".card pre { margin: 0.5rem 0 0; white-space: pre-wrap; }\n"
    ".card p.range { font-weight: 600; margin-top: 0.7rem; }\n"
    ".plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), "
    "1fr)); gap: 0 1.2rem; align-items: start; }\n"
    ".bars { display: block; overflow: visible; font-size: 0.85rem; margin: 0.3rem 0; }\n"
    ".bars text { fill: var(--ink); }\n"
    ".bars .rail { fill: var(--line); fill-opacity: 0.5; }\n"
    ".bars .other { fill: var(--strong); }\n"
    ".bars .use { fill: var(--edge); }\n"
    ".bars.simulated .other { fill-opacity: 0.3; stroke: var(--strong); stroke-dasharray: 4 3; }\n"
    ".bars.simulated .use { fill-opacity: 0.3; stroke: var(--edge); stroke-dasharray: 4 3; }\n"
    ".tag { font-size: 0.75rem; font-weight: 400; vertical-align: middle; padding: 0.1rem 0.5rem; "
    "border-radius: 1rem; border: 1px solid var(--edge); color: var(--soft); white-space: nowrap; "
    "}\n"
    ".tag.simulated { border: 1px dashed #d55e00; }\n"
    ".map { display: flex; flex-wrap: wrap; align-items: flex-start; column-gap: 1.2rem; }\n"
    ".map .scroll { max-width: 100%; }\n"
    ".map table { font-size: 0.84rem; }\n"
    ".map th, .map td { padding: 0.22rem 0.45rem; }\n"
    ".here { font-weight: 600; outline: 2px solid var(--ink); outline-offset: -2px; }\n"
    "caption { text-align: left; font-size: 0.92rem; padding-bottom: 0.2rem; }\n"
    "p.note { color: var(--soft); font-size: 0.92rem; }\n"
    "p.warning { border-left: 4px solid #d55e00; padding: 0.3rem 0.8rem; "
    "background: var(--warning); }\n"
    "figure { margin: 1.2rem 0; min-width: 0; }\n"
    ".plot { width: 100%; max-width: 44rem; height: auto; display: block; }\n"
    "summary { cursor: pointer; color: var(--soft); font-size: 0.92rem; }\n"
    "pre { white-space: pre-wrap; }\n"
    "p, li, summary { overflow-wrap: anywhere; }\n"
    "code { font-family: monospace; font-size: 0.95em; overflow-wrap: anywhere; }\n"
    "@media (max-width: 60rem) {\n"
    "body { display: block; margin-top: 0.8rem; }\n"
    "nav ul { position: static; border: 0; display: flex; flex-wrap: wrap; column-gap: 1rem; }\n"
    "nav li { padding: 0.25rem 0; }\n"
    "nav a { text-decoration: underline; }\n"
    "}\n"
    "@media (max-width: 40rem) {\n"
    "th, td { padding: 0.22rem 0.4rem; }\n"
    "th.text, td.text { white-space: normal; }\n"
    "}\n"
    "@media print { body { display: block; } nav { display: none; } h2 { break-after: avoid; } "
    "figure, table { break-inside: avoid; } }\n";

void weir_html_put(FILE *page, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", page);
		else if (*text == '<')
			fputs("&lt;", page);
		else if (*text == '>')
			fputs("&gt;", page);
		else if (*text == '"')
			fputs("&quot;", page);
		else /* XML allows no control characters, not even escaped. */
			fputc((unsigned char)*text < ' ' ? ' ' : *text, page);
	}
}

void weir_html_text(FILE *page, const char *before, const char *text, const char *after)
{
	fputs(before, page);
	weir_html_put(page, text);
	fputs(after, page);
}

void weir_html_cell(FILE *page, const char *text)
{
	weir_html_text(page, "<td class=\"text\">", text, "</td>");
}

void weir_html_table(FILE *page, const char *id)
{
	fputs("<div class=\"scroll\">\n<table", page);
	if (id)
		fprintf(page, " id=\"%s\"", id);
	fputs(">\n<thead>\n<tr>", page);
}

void weir_html_heads(FILE *page, const char *const *columns)
{
	for (; *columns; columns++)
		fprintf(page, **columns == '<' ? "<th class=\"text\">%s</th>" : "<th>%s</th>",
		        *columns + (**columns == '<'));
}

void weir_html_rows(FILE *page)
{
	fputs("</tr>\n</thead>\n<tbody>\n", page);
}

void weir_html_table_end(FILE *page)
{
	fputs("</tbody>\n</table>\n</div>\n", page);
}

void weir_html_begin(FILE *page)
{
	fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\"/>\n<title>",
	      page);
}

void weir_html_body(FILE *page, const char *more)
{
	fprintf(page, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<header>\n<h1>", style,
	        more);
}

void weir_html_heading(FILE *page, const char *id, const char *title, const char *tag)
{
	fprintf(page, "<h2 id=\"%s\">%s", id, title);
	if (tag)
		fprintf(page, " <span class=\"tag %s\">%s</span>", tag, tag);
	fputs("</h2>\n", page);
}

/* An entry for each heading: its title without the tag. */
static void put_contents(FILE *page, const char *sections)
{
	static const char heading[] = "<h2 id=\"";

	fputs("<nav id=\"contents\">\n<ul>\n", page);
	for (const char *at = sections; (at = strstr(at, heading)) != NULL;) {
		at += strlen(heading);
		int id = (int)strcspn(at, "\"");
		const char *title = at + id + strlen("\">");
		int length = (int)strcspn(title, "<");
		length -= title[length - 1] == ' ';
		fprintf(page, "<li><a href=\"#%.*s\">%.*s</a></li>\n", id, at, length, title);
	}
	fputs("</ul>\n</nav>\n", page);
}

void weir_html_end(FILE *page, const char *sections)
{
	fputs("</header>\n", page);
	put_contents(page, sections);
	fprintf(page, "<main>\n%s</main>\n</body>\n</html>\n", sections);
}

void weir_html_row(FILE *page, const char *title, const char *text)
{
	fprintf(page, "<tr><th class=\"text\">%s</th>", title);
	weir_html_text(page, "<td class=\"text wrap\">", *text ? text : "not known",
	               "</td></tr>\n");
}

const char *weir_report_device(const weir_profile *profile)
{
	return *profile->device.description ? profile->device.description : profile->name;
}

const char *weir_report_short(const weir_profile *profile)
{
	const weir_device_info *device = &profile->device;
	return !device->is_gpu && *device->name ? device->name : weir_report_device(profile);
}
