// Numbers as gpumodel prints them (base/number_text.h), digit by digit: what is shown is what predict says.
const Format = (function () {
  'use strict';

  function escaped(text) {
    return String(text).replace(/[&<>"']/g, function (c) {
      return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }[c];
    });
  }

  // C's %.Nf: halves go to the even neighbour, where toFixed takes the larger one.
  function fixed(value, decimals) {
    const up = value.toFixed(decimals);
    const all = Math.abs(value).toFixed(100);
    const rest = all.slice(all.indexOf('.') + 1 + decimals);
    if (!/^50*$/.test(rest)) return up;
    const down = all.slice(0, all.length - rest.length).replace(/\.$/, '');
    const even = Number(down[down.length - 1]) % 2 === 0;
    return even ? (value < 0 ? '-' : '') + down : up;
  }

  function stripped(text) {
    return text.indexOf('.') < 0 ? text : text.replace(/0+$/, '').replace(/\.$/, '');
  }

  // As in csv: 7 significant digits from 1 on, 7 decimals below, 11 below 0.01.
  function number(value) {
    if (!isFinite(value)) return '';
    if (value === Math.floor(value) && Math.abs(value) < 1e15) return fixed(value, 0);
    const magnitude = Math.abs(value);
    const before = magnitude >= 1 ? Math.floor(Math.log10(magnitude)) + 1 : 0;
    return stripped(fixed(value, Math.max(0, 7 - before) + (magnitude < 0.01 ? 4 : 0)));
  }

  // C's %.4g of values that need no exponent.
  function fourDigits(value) {
    if (value === 0) return '0';
    let exponent = Math.floor(Math.log10(Math.abs(value)));
    if (Number(fixed(value, Math.max(0, 3 - exponent))) >= Math.pow(10, exponent + 1)) exponent += 1;
    return stripped(fixed(value, Math.max(0, 3 - exponent)));
  }

  function time(seconds) {
    if (seconds >= 1) return fourDigits(seconds) + ' s';
    return seconds >= 1e-3 ? fourDigits(seconds * 1e3) + ' ms' : fourDigits(seconds * 1e6) + ' us';
  }

  function si(value, unit) {
    const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
    let i = 0;
    while (Math.abs(value) >= 1000 && i + 1 < prefixes.length) {
      value /= 1000;
      i += 1;
    }
    return fourDigits(value) + ' ' + prefixes[i] + unit;
  }

  // <data>, as figure() of tools/views/html writes it.
  function figure(id, value, text) {
    if (!isFinite(value)) return escaped(text);
    return '<data' + (id ? ' id="' + id + '"' : '') + ' value="' + number(value) + '">' + escaped(text) + '</data>';
  }

  return { escaped: escaped, fixed: fixed, fourDigits: fourDigits, number: number, time: time, si: si, figure: figure };
})();
