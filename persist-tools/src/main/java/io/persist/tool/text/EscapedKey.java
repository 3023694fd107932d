package io.persist.tool.text;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Keys as text from which their bytes can be told again: what is UTF-8 and can be seen is as it is; a backslash and a
 * quotation mark have a backslash before them; every other byte is {@code \x} and two hexadecimal digits. A key of
 * plain text without these two looks like itself.
 */
public final class EscapedKey {

    /** What Java has in place of a byte that it cannot decode; so a key that has it itself needs escapes. */
    static final char REPLACEMENT = '\uFFFD';

    private static final int MAX_UTF8_LENGTH = 4;

    private EscapedKey() {}

    /** The text of what remains of {@code key}, whose position stays as it is. */
    static String of(ByteBuffer key) {
        StringBuilder text = new StringBuilder();
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        int index = key.position();
        while (index < key.limit()) {
            int length = Math.min(sequenceLength(key.get(index)), key.limit() - index);
            CharBuffer character = CharBuffer.allocate(2);
            boolean isWhole = !decoder.reset()
                    .decode(key.slice(index, length), character, true)
                    .isError();
            String decoded = character.flip().toString();
            if (isWhole && !decoded.isEmpty() && isSeen(decoded.codePointAt(0))) {
                text.append(decoded.equals("\\") || decoded.equals("\"") ? "\\" : "")
                        .append(decoded);
                index += length;
            } else {
                text.append("\\x").append(HexFormat.of().toHexDigits(key.get(index)));
                index++;
            }
        }
        return text.toString();
    }

    /** Not a replacement, nor a control, nor what changes how the text around it looks, such as its direction. */
    private static boolean isSeen(int codePoint) {
        return codePoint != REPLACEMENT
                && switch (Character.getType(codePoint)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }

    /** A text as the escapes of all its bytes. */
    public static String bytes(String text) {
        StringBuilder escapes = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            escapes.append("\\x").append(HexFormat.of().toHexDigits(b));
        }
        return escapes.toString();
    }

    /** How many bytes a character has that begins with {@code first}; 1 if none does. */
    private static int sequenceLength(byte first) {
        int leadingOnes = Integer.numberOfLeadingZeros(~(first << 24));
        return leadingOnes >= 2 && leadingOnes <= MAX_UTF8_LENGTH ? leadingOnes : 1;
    }

    /**
     * The key that {@code text} says.
     *
     * @throws IllegalArgumentException if a backslash is followed by something else
     */
    static byte[] parse(String text) {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        int index = 0;
        while (index < text.length()) {
            int end = text.indexOf('\\', index);
            key.writeBytes(text.substring(index, end < 0 ? text.length() : end).getBytes(StandardCharsets.UTF_8));
            if (end < 0) {
                break;
            }
            index = parseEscape(text, end + 1, key);
        }
        return key.toByteArray();
    }

    /** Adds what the escape says whose backslash is before {@code index}; returns the index behind it. */
    private static int parseEscape(String text, int index, ByteArrayOutputStream key) {
        char kind = index < text.length() ? text.charAt(index) : ' ';
        if (kind == '\\' || kind == '"') {
            key.write(kind);
            return index + 1;
        }
        int end = index + 3;
        boolean isByte = kind == 'x'
                && end <= text.length()
                && HexFormat.isHexDigit(text.charAt(index + 1))
                && HexFormat.isHexDigit(text.charAt(index + 2));
        if (!isByte) {
            throw new IllegalArgumentException("key=" + text
                    + " has a backslash that begins no escape; write \\\\ for a backslash, \\x0a for a byte");
        }
        key.write(HexFormat.fromHexDigits(text, index + 1, end));
        return end;
    }
}
