"""Promises of the codec towards protobuf's JSON conformance suite (binary_json_conformance_suite.cc, proto3).

The cases are told in our names and form: the suite's name, a field, the JSON of its value, and the JSON that comes
back, or REFUSED. Left out: lowerCamelCase names, JSON that ignores unknown fields, groups and extensions, which are not
served here (docs/transcoding.md).
"""

import json

import pytest

from gateway.transcode import Codec, TranscodeError
from tests.doubles import all_kinds

CODEC = Codec(all_kinds.message_class("AllKinds"))
REFUSED = object()

CASES = [
    # integers
    ("Int32FieldMaxValue", "a_int32", "2147483647", 2147483647),
    ("Int32FieldMinValue", "a_int32", "-2147483648", -2147483648),
    ("Uint32FieldMaxValue", "a_uint32", "4294967295", 4294967295),
    ("Int64FieldMaxValue", "a_int64", '"9223372036854775807"', "9223372036854775807"),
    ("Int64FieldMinValue", "a_int64", '"-9223372036854775808"', "-9223372036854775808"),
    ("Uint64FieldMaxValue", "a_uint64", '"18446744073709551615"', "18446744073709551615"),
    ("Int64FieldMaxValueNotQuoted", "a_int64", "9223372036854774784", "9223372036854774784"),
    ("Int64FieldMinValueNotQuoted", "a_int64", "-9223372036854775808", "-9223372036854775808"),
    ("Uint64FieldMaxValueNotQuoted", "a_uint64", "18446744073709549568", "18446744073709549568"),
    ("Int32FieldStringValue", "a_int32", '"2147483647"', 2147483647),
    ("Int32FieldStringValueEscaped", "a_int32", r'"2\u003147483647"', 2147483647),
    ("Int32FieldStringValueZero", "a_int32", '"0"', 0),
    ("Int32FieldQuotedExponentialValue", "a_int32", '"1e5"', 100000),
    ("Int32FieldTooLarge", "a_int32", "2147483648", REFUSED),
    ("Int32FieldTooSmall", "a_int32", "-2147483649", REFUSED),
    ("Uint32FieldTooLarge", "a_uint32", "4294967296", REFUSED),
    ("Int64FieldTooLarge", "a_int64", '"9223372036854775808"', REFUSED),
    ("Int64FieldTooSmall", "a_int64", '"-9223372036854775809"', REFUSED),
    ("Uint64FieldTooLarge", "a_uint64", '"18446744073709551616"', REFUSED),
    ("Uint64QuotedExponentFieldTooLarge", "a_uint64", '"1e536870000"', REFUSED),
    ("Int32FieldNotInteger", "a_int32", "0.5", REFUSED),
    ("Uint32FieldNotInteger", "a_uint32", "0.5", REFUSED),
    ("Int64FieldNotInteger", "a_int64", '"0.5"', REFUSED),
    ("Uint64FieldNotInteger", "a_uint64", '"0.5"', REFUSED),
    ("Int32FieldTrueValue", "a_int32", "true", REFUSED),
    ("Int32FieldFalseValue", "a_int32", "false", REFUSED),
    ("Int32FieldStringValuePartiallyNumeric", "a_int32", '"12abc"', REFUSED),
    ("Int32FieldStringValuePartiallyNumericSpace", "a_int32", '"12 34"', REFUSED),
    ("Int32FieldStringValuePartiallyNumericComma", "a_int32", '"12,34"', REFUSED),
    ("Int32FieldStringValuePartiallyNumericUnicode", "a_int32", '"12谷歌34"', REFUSED),
    ("Int32FieldStringValueNonNumeric", "a_int32", '"abc"', REFUSED),
    ("Int32FieldEmptyString", "a_int32", '""', REFUSED),
    ("Uint64FieldEmptyString", "a_uint64", '""', REFUSED),
    ("Int32FieldFloatTrailingZero", "a_int32", "100000.000", 100000),
    ("Int32FieldExponentialFormat", "a_int32", "1e5", 100000),
    ("Int32FieldMaxFloatValue", "a_int32", "2.147483647e9", 2147483647),
    ("Int32FieldMinFloatValue", "a_int32", "-2.147483648e9", -2147483648),
    ("Uint32FieldMaxFloatValue", "a_uint32", "4.294967295e9", 4294967295),
    ("Int32FieldPlusSign", "a_int32", "+1", REFUSED),
    ("Int32FieldLeadingZero", "a_int32", "01", REFUSED),
    ("Int32FieldNegativeWithLeadingZero", "a_int32", "-01", REFUSED),
    ("Int32FieldLeadingSpace", "a_int32", '" 1"', REFUSED),
    ("Int32FieldTrailingSpace", "a_int32", '"1 "', REFUSED),
    ("Int64FieldBeString", "a_int64", "1", "1"),
    # booleans
    ("BoolFieldTrue", "a_bool", "true", True),
    ("BoolFieldFalse", "a_bool", "false", False),
    ("BoolFieldIntegerZero", "a_bool", "0", REFUSED),
    ("BoolFieldIntegerOne", "a_bool", "1", REFUSED),
    ("BoolFieldCamelCaseTrue", "a_bool", "True", REFUSED),
    ("BoolFieldAllCapitalFalse", "a_bool", "FALSE", REFUSED),
    ("BoolFieldDoubleQuotedTrue", "a_bool", '"true"', REFUSED),
    # floats
    ("FloatFieldQuotedValue", "a_float", '"1"', 1.0),
    ("FloatFieldMinPositiveValue", "a_float", "1.175494e-38", 1.175494e-38),
    ("FloatFieldMaxPositiveValue", "a_float", "3.402823e+38", 3.402823e38),
    ("FloatFieldNan", "a_float", '"NaN"', "NaN"),
    ("FloatFieldInfinity", "a_float", '"Infinity"', "Infinity"),
    ("FloatFieldNegativeInfinity", "a_float", '"-Infinity"', "-Infinity"),
    ("FloatFieldNanNotQuoted", "a_float", "NaN", REFUSED),
    ("FloatFieldInfinityNotQuoted", "a_float", "Infinity", REFUSED),
    ("FloatFieldTooSmall", "a_float", "-3.502823e+38", REFUSED),
    ("FloatFieldTooLarge", "a_float", "3.502823e+38", REFUSED),
    ("FloatFieldEmptyString", "a_float", '""', REFUSED),
    ("FloatFieldStringValuePartiallyNumeric", "a_float", '"12abc"', REFUSED),
    ("FloatFieldTrueValue", "a_float", "true", REFUSED),
    ("DoubleFieldMinPositiveValue", "a_double", "2.22507e-308", 2.22507e-308),
    ("DoubleFieldMaxPositiveValue", "a_double", "1.79769e+308", 1.79769e308),
    ("DoubleFieldQuotedExponentialValue", "a_double", '"2.22507e-308"', 2.22507e-308),
    ("DoubleFieldTooSmall", "a_double", "-1.89769e+308", REFUSED),
    ("DoubleFieldTooLarge", "a_double", "1.89769e+308", REFUSED),
    ("DoubleFieldFalseValue", "a_double", "false", REFUSED),
    # enums
    ("EnumField", "a_colour", '"COLOUR_RED"', "COLOUR_RED"),
    ("EnumFieldWithAliasUseAlias", "a_colour", '"COLOUR_CRIMSON"', "COLOUR_RED"),
    ("EnumFieldNotQuoted", "a_colour", "COLOUR_RED", REFUSED),
    ("EnumFieldNumericValueNonZero", "a_colour", "1", "COLOUR_RED"),
    ("EnumFieldSingleElementArrayEnumName", "a_colour", '["COLOUR_RED"]', REFUSED),
    ("EnumFieldTrueValue", "a_colour", "true", REFUSED),
    ("EnumFieldUnknownValue", "a_colour", "123", 123),
    ("RejectUnknownEnumStringValueInOptionalField", "a_colour", '"UNKNOWN"', REFUSED),
    ("RejectUnknownEnumStringValueInRepeatedField", "colours", '["UNKNOWN"]', REFUSED),
    ("RejectUnknownEnumStringValueInMapValue", "by_int64", '{"1": "UNKNOWN"}', REFUSED),
    # strings and bytes
    ("StringFieldUnicode", "a_string", '"谷歌"', "谷歌"),
    ("StringFieldEscape", "a_string", r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
    ("StringFieldUnicodeEscape", "a_string", r'"\u8C37\u6B4C"', "谷歌"),
    ("StringFieldSurrogatePair", "a_string", r'"\uD83D\uDE01"', "😁"),
    ("StringFieldUppercaseEscapeLetter", "a_string", r'"\U8C37"', REFUSED),
    ("StringFieldInvalidEscape", "a_string", r'"\uXXXX"', REFUSED),
    ("StringFieldUnterminatedEscape", "a_string", r'"\u8C3"', REFUSED),
    ("StringFieldUnpairedHighSurrogate", "a_string", r'"\uD800"', REFUSED),
    ("StringFieldUnpairedLowSurrogate", "a_string", r'"\uDC00"', REFUSED),
    ("StringFieldSurrogateInWrongOrder", "a_string", r'"\uDE01\uD83D"', REFUSED),
    ("StringFieldNotAString", "a_string", "12345", REFUSED),
    ("BytesField", "a_bytes", '"AQI="', "AQI="),
    ("BytesFieldBase64Url", "a_bytes", '"-_"', "+w=="),
    # text
    ("FieldNameNotQuoted", "a_int32", "1, a_int64: 2", REFUSED),
    ("TrailingCommaInAnObject", "a_int32", "1,", REFUSED),
    ("JsonWithComments", "a_int32", "1 // a comment\n", REFUSED),
    ("MissingCommaOneLine", "a_int32", '1 "a_int64": 2', REFUSED),
    # well-known types
    ("TimestampRepeatedValue", "timestamps", '["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]',
     ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]),
    ("TimestampWithPositiveOffset", "a_timestamp", '"1970-01-01T08:00:01+08:00"', "1970-01-01T00:00:01Z"),
    ("TimestampWithNegativeOffset", "a_timestamp", '"1969-12-31T16:00:01-08:00"', "1970-01-01T00:00:01Z"),
    ("TimestampJsonInputTooSmall", "a_timestamp", '"0000-01-01T00:00:00Z"', REFUSED),
    ("TimestampJsonInputTooLarge", "a_timestamp", '"10000-01-01T00:00:00Z"', REFUSED),
    ("TimestampJsonInputMissingZ", "a_timestamp", '"0001-01-01T00:00:00"', REFUSED),
    ("TimestampJsonInputMissingT", "a_timestamp", '"0001-01-01 00:00:00Z"', REFUSED),
    ("TimestampJsonInputLowercaseZ", "a_timestamp", '"0001-01-01T00:00:00z"', REFUSED),
    ("TimestampJsonInputLowercaseT", "a_timestamp", '"0001-01-01t00:00:00Z"', REFUSED),
    ("DurationMinValue", "a_duration", '"-315576000000.999999999s"', "-315576000000.999999999s"),
    ("DurationMaxValue", "a_duration", '"315576000000.999999999s"', "315576000000.999999999s"),
    ("DurationMissingS", "a_duration", '"1"', REFUSED),
    ("DurationJsonInputTooSmall", "a_duration", '"-315576000001.000000000s"', REFUSED),
    ("DurationJsonInputTooLarge", "a_duration", '"315576000001.000000000s"', REFUSED),
    ("FieldMask", "a_mask", '"foo,barBaz"', "foo,barBaz"),
    ("FieldMaskInvalidCharacter", "a_mask", '"foo,bar_bar"', REFUSED),
    ("ValueAcceptNull", "a_value", "null", None),
    ("NullValueInOtherOneofNewFormat", "choice_null", "null", None),
    # repeated fields and maps
    ("RepeatedFieldWrongElementTypeExpectingIntegersGotBool", "int32s", "[1, false, 3]", REFUSED),
    ("RepeatedFieldWrongElementTypeExpectingStringsGotInt", "strings", '["1", 2]', REFUSED),
    ("RepeatedFieldTrailingComma", "int32s", "[1,2,3,]", REFUSED),
    ("RepeatedFieldPrimitiveElementIsNull", "int32s", "[1, null, 2]", REFUSED),
    ("RepeatedFieldMessageElementIsNull", "messages", "[{}, null]", REFUSED),
    ("MapFieldKeyNotQuoted", "by_int32", "{1: 2}", REFUSED),
    ("MapFieldValueIsNull", "by_int32", '{"1": null}', REFUSED),
    ("BoolMapField", "by_bool", '{"true": true, "false": false}', {"true": True, "false": False}),
]  # fmt: skip

#: What the suite asks and D30, or the table of docs/transcoding.md, decides otherwise.
DIFFERENT = [
    ("StringFieldEmbeddedNull", "a_string", r'"Hello\u0000world!"', "D30: NUL is refused"),
    ("EnumFieldWithAliasDifferentCase", "a_colour", '"Colour_Red"', "names are compared as they are written"),
    ("FieldNameDuplicate", "a_int32", '1, "a_int32": 2', "D30: duplicate keys are refused; the suite allows it"),
]


def text(field, value):
    return f'{{"{field}": {value}}}'.encode()


@pytest.mark.parametrize(("field", "value", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_case_of_the_suite(field, value, expected):
    if expected is REFUSED:
        with pytest.raises(TranscodeError):
            CODEC.decode(text(field, value))
    else:
        answered = json.loads(CODEC.encode(CODEC.decode(text(field, value))))
        assert answered[field] == expected and type(answered[field]) is type(expected)


@pytest.mark.parametrize(("name", "field", "value", "reason"), DIFFERENT, ids=[case[0] for case in DIFFERENT])
def test_what_we_refuse_on_purpose(name, field, value, reason):
    with pytest.raises(TranscodeError):
        CODEC.decode(text(field, value))


@pytest.mark.parametrize("body", [b"null", b"[]", b"1", b'{"a_string": "abc\\'])
def test_a_body_is_one_whole_object(body):
    with pytest.raises(TranscodeError):
        CODEC.decode(body)
