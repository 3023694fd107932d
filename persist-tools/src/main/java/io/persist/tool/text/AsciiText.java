package io.persist.tool.text;

import java.io.PrintStream;
import java.io.Writer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Collects JSON, in which only texts have characters outside of ASCII, and escapes those. What is printed goes out
 * whenever there is much of it.
 */
final class AsciiText extends Writer {

    private static final int PIECE_LENGTH = 1 << 15;

    private final StringBuilder text = new StringBuilder();
    private final @Nullable PrintStream out;

    /** A text that is printed to {@code out}; one that is kept if there is none. */
    AsciiText(@Nullable PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(int character) {
        if (character < 0x7F) {
            text.append((char) character);
        } else {
            text.append("\\u").append(HexFormat.of().toHexDigits((char) character));
        }
        if (out != null && text.length() >= PIECE_LENGTH) {
            flush();
        }
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            write(characters[i]);
        }
    }

    @Override
    public void write(String characters, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            write(characters.charAt(i));
        }
    }

    @Override
    public AsciiText append(char character) {
        write(character);
        return this;
    }

    @Override
    public AsciiText append(CharSequence characters) {
        String string = String.valueOf(characters);
        write(string, 0, string.length());
        return this;
    }

    @Override
    public void flush() {
        if (out != null) {
            out.append(text);
            text.setLength(0);
        }
    }

    @Override
    public void close() {
        flush();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
