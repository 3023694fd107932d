package io.persist.tool.text;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Payloads as text. Long ones are printed in pieces, so that no copy of them is needed. */
public final class PayloadText {

    private static final int PREVIEW_LENGTH = 64;
    private static final int HEX_PREVIEW_LENGTH = 32;

    /** A multiple of 3, so that the pieces of a base64 text fit together. */
    private static final int PIECE_LENGTH = 3 << 12;

    private static final String CUT = "...";

    /** What a decoder puts in the place of bytes that are no text. */
    private static final char REPLACEMENT = '\uFFFD';

    private PayloadText() {}

    /** Prints the remaining bytes in a style; nothing if the style is to print none. */
    public static void print(ByteBuffer payload, PayloadStyle style, PrintStream out) {
        switch (style) {
            case PREVIEW -> out.print(preview(payload));
            case BASE64, HEX -> encode(payload, style, out::print);
            case TEXT -> out.print(quoted(text(payload)));
            case NONE -> {}
        }
    }

    /** The same as a string, for what is short. */
    public static String of(ByteBuffer payload, PayloadStyle style) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        print(payload.duplicate(), style, out);
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Hands over the remaining bytes in base64 or hexadecimal, piece by piece. */
    static void encode(ByteBuffer payload, PayloadStyle style, Consumer<String> pieces) {
        for (byte[] piece = piece(payload); piece.length > 0; piece = piece(payload)) {
            pieces.accept(
                    style == PayloadStyle.HEX
                            ? HexFormat.of().formatHex(piece)
                            : Base64.getEncoder().encodeToString(piece));
        }
    }

    private static byte[] piece(ByteBuffer payload) {
        byte[] piece = new byte[Math.min(payload.remaining(), PIECE_LENGTH)];
        payload.get(piece);
        return piece;
    }

    public static String text(ByteBuffer payload) {
        return StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
    }

    /** The beginning of a payload: its text in quotes, or hexadecimal. */
    public static String preview(ByteBuffer payload) {
        String text = visibleText(payload);
        if (text != null) {
            return quoted(text) + (payload.remaining() > PREVIEW_LENGTH ? CUT : "");
        }
        byte[] bytes = new byte[Math.min(payload.remaining(), HEX_PREVIEW_LENGTH)];
        payload.get(payload.position(), bytes);
        return HexFormat.of().formatHex(bytes) + (payload.remaining() > HEX_PREVIEW_LENGTH ? CUT : "");
    }

    /** The beginning as text; null if it is none. */
    private static @Nullable String visibleText(ByteBuffer payload) {
        int length = Math.min(payload.remaining(), PREVIEW_LENGTH);
        CharBuffer text = CharBuffer.allocate(length);
        // A character that the end of the preview cuts in two is left away.
        boolean isWhole = length == payload.remaining();
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(payload.slice(payload.position(), length), text, isWhole);
        text.flip();
        boolean isText = !result.isError() && text.chars().allMatch(PayloadText::isVisible);
        return isText ? text.toString() : null;
    }

    private static boolean isVisible(int character) {
        return character == '\n' || character == '\r' || character == '\t' || !Character.isISOControl(character);
    }

    /** A text in quotes, as JSON and most languages write it, but for characters outside ASCII. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (isUnseen(character)) {
                        appendEscape(quoted, character);
                    } else {
                        quoted.append(character);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /** A text without controls but tabs and line ends; the others become U+FFFD, as bytes that are no text do. */
    public static String withoutControls(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.chars().map(c -> isVisible(c) ? c : REPLACEMENT).forEach(c -> clean.append((char) c));
        return clean.toString();
    }

    /** A name or a message on one line, with escapes for what is not seen or would move the cursor. */
    public static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (isUnseen(character)) {
                appendEscape(visible, character);
            } else {
                visible.append(character);
            }
        }
        return visible.toString();
    }

    /** Controls, halves of characters, and what changes how the text around it looks, such as its direction. */
    private static boolean isUnseen(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static void appendEscape(StringBuilder text, char character) {
        text.append("\\u").append(HexFormat.of().toHexDigits(character));
    }
}
