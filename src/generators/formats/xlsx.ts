import type { Cell, Column, Row } from '../generator.js';
import type { Encoder, ReportHeading } from './encoder.js';
import { type Fragment, fragment, plainBut, Utf8Buffer } from './utf8-buffer.js';
import { ZipWriter } from './zip.js';

/** Rows of a sheet, as Excel and LibreOffice have them. What is beyond goes on to a further sheet. */
const SHEET_ROWS = 1_048_576;
const PIECE = 256 * 1024;
const HEADER = 1;
const DATE = 2;
const TIME = 3;
const NUMBER = 4;
const SHEET =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook: the data with real numbers and dates, then notes with the period, the units and the warnings. */
export function xlsxEncoder(heading: ReportHeading, sheetRows = SHEET_ROWS): Encoder {
  return new Workbook(heading, sheetRows);
}

class Workbook implements Encoder {
  private readonly zip = new ZipWriter();
  private readonly shown: readonly ShownColumn[];
  /** The sheet's XML that is not in the archive yet. */
  private readonly xml = new Utf8Buffer();
  private sheets = 0;
  private rowNumber = 0;

  constructor(
    private readonly heading: ReportHeading,
    private readonly sheetRows: number,
  ) {
    this.shown = heading.columns
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => !column.jsonOnly)
      .map(({ column, index }, place) => ({ column, index, at: fragment(`<c r="${lettersOf(place + 1)}`) }));
  }

  begin(out: Utf8Buffer): void {
    this.part('[Content_Types].xml', CONTENT_TYPES, out);
    this.part('_rels/.rels', PACKAGE_RELATIONS, out);
    this.part('xl/styles.xml', STYLES, out);
    this.openSheet(out);
  }

  rows(batch: readonly Row[], out: Utf8Buffer): void {
    for (const row of batch) {
      if (this.rowNumber >= this.sheetRows) {
        this.closeSheet(out);
        this.openSheet(out);
      }
      this.writeRow(row);
      if (this.xml.length >= PIECE) this.pack(out);
    }
  }

  end(warnings: readonly string[], out: Utf8Buffer): void {
    this.closeSheet(out);
    this.part('xl/worksheets/notes.xml', notes(this.heading, warnings), out);
    this.part('xl/workbook.xml', workbook(this.sheets), out);
    this.part('xl/_rels/workbook.xml.rels', workbookRelations(this.sheets), out);
    this.zip.finish(out);
  }

  private openSheet(out: Utf8Buffer): void {
    this.sheets++;
    this.rowNumber = 1;
    this.zip.begin(`xl/worksheets/sheet${this.sheets}.xml`, out);
    const names = ['row_type', ...this.shown.map(({ column }) => column.name)];
    this.xml.text(
      `${SHEET}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
        `<cols><col min="1" max="${names.length}" width="16" customWidth="1"/></cols><sheetData><row r="1">${names.map((name, place) => textXml(place, 1, name, ` s="${HEADER}"`)).join('')}</row>`,
    );
  }

  private closeSheet(out: Utf8Buffer): void {
    this.xml.text('</sheetData></worksheet>');
    this.pack(out);
  }

  private writeRow({ rowType, cells }: Row): void {
    const { xml } = this;
    const number = String(++this.rowNumber);
    xml.append(ROW_BEGINS);
    xml.text(number);
    xml.append(ROW_OPENS);
    writeText(FIRST_CELL, number, rowType, xml);
    for (const { index, at, column } of this.shown) {
      const cell = cells[index] as Cell;
      if (cell !== null) writeCell(at, number, cell, column, xml);
    }
    xml.append(ROW_CLOSES);
  }

  private pack(out: Utf8Buffer): void {
    this.zip.write(this.xml.view(), out);
    this.xml.cutTo(0);
  }

  private part(name: string, xml: string, out: Utf8Buffer): void {
    this.zip.begin(name, out);
    this.zip.write(Buffer.from(xml), out);
  }
}

/** A column of the sheet; `at` is how its cells begin, up to the row's number. */
interface ShownColumn {
  readonly column: Column;
  readonly index: number;
  readonly at: Fragment;
}

const ROW_BEGINS = fragment('<row r="');
const ROW_OPENS = fragment('">');
const ROW_CLOSES = fragment('</row>');
const FIRST_CELL = fragment('<c r="A');
const NUMBER_OPENS = fragment(`" s="${NUMBER}"><v>`);
const DATE_OPENS = fragment(`" s="${DATE}"><v>`);
const TIME_OPENS = fragment(`" s="${TIME}"><v>`);
const VALUE_CLOSES = fragment('</v></c>');
const TEXT_OPENS = fragment('" t="inlineStr"><is><t>');
const TEXT_CLOSES = fragment('</t></is></c>');

function writeCell(
  at: Fragment,
  row: string,
  cell: string | number,
  { type }: Column,
  xml: Utf8Buffer,
): void {
  if (type === 'text') writeText(at, row, cell as string, xml);
  else if (type === 'date') writeDate(at, row, cell as string, xml);
  else if (type === 'time') writeValue(at, row, TIME_OPENS, dayFraction(cell as string), xml);
  else writeValue(at, row, NUMBER_OPENS, cell, xml);
}

function writeValue(
  at: Fragment,
  row: string,
  opens: Fragment,
  value: string | number,
  xml: Utf8Buffer,
): void {
  xml.append(at);
  xml.text(row);
  xml.append(opens);
  xml.text(String(value));
  xml.append(VALUE_CLOSES);
}

function writeText(at: Fragment, row: string, value: string, xml: Utf8Buffer): void {
  xml.append(at);
  xml.text(row);
  const start = xml.length;
  xml.append(TEXT_OPENS);
  if (!isPadded(value) && xml.plain(value, PLAIN)) xml.append(TEXT_CLOSES);
  else {
    xml.cutTo(start);
    xml.text(`" t="inlineStr"><is>${element(value)}</is></c>`);
  }
}

/** A day as a spreadsheet counts it from 1900-01-01, whose calendar wrongly has a 29 February 1900; text before 1 March of that year. */
function writeDate(at: Fragment, row: string, date: string, xml: Utf8Buffer): void {
  const serial = Date.parse(date) / 86_400_000 + 25_569;
  if (serial >= 61) writeValue(at, row, DATE_OPENS, serial, xml);
  else writeText(at, row, date, xml);
}

function dayFraction(time: string): number {
  return (Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6))) / 86_400;
}

const PLAIN = plainBut('&<>_');
const BLANK = 0x20;

function isPadded(value: string): boolean {
  return value.charCodeAt(0) === BLANK || value.charCodeAt(value.length - 1) === BLANK;
}

function textXml(place: number, row: number, value: string, style = ''): string {
  return `<c r="${lettersOf(place)}${row}" t="inlineStr"${style}><is>${element(value)}</is></c>`;
}

function element(value: string): string {
  const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : '';
  return `<t${space}>${xmlText(value)}</t>`;
}

/** The name of a column by its place from 0: A, B, …, Z, AA. */
function lettersOf(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : lettersOf(Math.floor(place / 26) - 1) + last;
}

const XML_SPECIAL =
  /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What XML 1.0 cannot hold is written `_xHHHH_`, as the format has it. */
function xmlText(value: string): string {
  return value.replace(XML_SPECIAL, (found) => {
    if (found === '&') return '&amp;';
    if (found === '<') return '&lt;';
    if (found === '>') return '&gt;';
    if (found.length > 1) return `_x005F${found}`;
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

function notes({ type, title, farm, period, columns }: ReportHeading, warnings: readonly string[]): string {
  const lines: string[][] = [
    ['Report', title],
    ['Type', type],
    ['Farm', farm],
    ['From', period.start],
    ['To', period.end],
    ['Time zone', period.timeZone],
    [],
    ['Column', 'Unit', 'Meaning'],
    ...columns
      .filter((column) => !column.jsonOnly)
      .map(({ name, unit, description }) => [name, unit, description]),
    [],
    ['Warnings', String(warnings.length)],
    ...warnings.map((warning) => ['', warning]),
  ];
  const rows = lines
    .map(
      (line, index) =>
        `<row r="${index + 1}">${line.map((value, place) => textXml(place, index + 1, value)).join('')}</row>`,
    )
    .join('');
  return `${SHEET}<cols><col min="1" max="2" width="24" customWidth="1"/><col min="3" max="3" width="80" customWidth="1"/></cols><sheetData>${rows}</sheetData></worksheet>`;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const STYLES =
  `${DECLARATION}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2">` +
  '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Every part without a kind of its own is a sheet, so that their number need not be known ahead. */
const CONTENT_TYPES =
  `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${KIND}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`;

const PACKAGE_RELATIONS =
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function workbook(sheets: number): string {
  const data = numbered(sheets).map(
    (n) => `<sheet name="${n === 1 ? 'Data' : `Data ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
  );
  return (
    `${DECLARATION}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets>` +
    `${data.join('')}<sheet name="Notes" sheetId="${sheets + 1}" r:id="rId${sheets + 1}"/></sheets></workbook>`
  );
}

function workbookRelations(sheets: number): string {
  const targets = [...numbered(sheets).map((n) => `worksheets/sheet${n}.xml`), 'worksheets/notes.xml'];
  const sheetRelations = targets.map(
    (target, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="${target}"/>`,
  );
  return (
    `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheetRelations.join('')}` +
    `<Relationship Id="rId${sheets + 2}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`
  );
}
