package io.persist.memcached.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.persist.memcached.item.Decimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line, cut into words at its spaces. */
final class Line {

    private static final int MAX_KEY_LENGTH = 250;
    private static final int MAX_SIGNED_LENGTH = 18;

    private final List<byte[]> words;

    private Line(List<byte[]> words) {
        this.words = words;
    }

    /** Reads {@code length} bytes of {@code input}, which are a line without its end. */
    static Line read(ByteBuf input, int length) {
        byte[] bytes = new byte[length];
        input.readBytes(bytes);
        int end = length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
        List<byte[]> words = new ArrayList<>(8);
        int from = 0;
        for (int i = 0; i <= end; i++) {
            if (i == end || bytes[i] == ' ') {
                if (i > from) {
                    words.add(Arrays.copyOfRange(bytes, from, i));
                }
                from = i + 1;
            }
        }
        return new Line(words);
    }

    int size() {
        return words.size();
    }

    String text(int index) {
        return new String(words.get(index), ISO_8859_1);
    }

    boolean isLast(String word) {
        return !words.isEmpty() && text(size() - 1).equals(word);
    }

    byte[] bytes(int index) {
        return words.get(index);
    }

    List<byte[]> from(int index) {
        return words.subList(index, size());
    }

    /** Whether this word can be a key: not too long, and without control characters. */
    boolean isKey(int index) {
        byte[] word = words.get(index);
        if (word.length > MAX_KEY_LENGTH) {
            return false;
        }
        for (byte character : word) {
            if (character >= 0 && character < ' ' || character == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Whether this word is a number of 64 bits without a sign. */
    boolean isUnsigned(int index) {
        byte[] word = words.get(index);
        return Decimal.isNumber(word, 0, word.length);
    }

    long unsigned(int index) {
        byte[] word = words.get(index);
        return Decimal.value(word, 0, word.length);
    }

    /** Whether this word is a whole number, perhaps with a minus, that is far from the end of 64 bits. */
    boolean isSigned(int index) {
        byte[] word = words.get(index);
        int from = word[0] == '-' ? 1 : 0;
        return word.length <= MAX_SIGNED_LENGTH && Decimal.isNumber(word, from, word.length);
    }

    long signed(int index) {
        byte[] word = words.get(index);
        return word[0] == '-' ? -Decimal.value(word, 1, word.length) : Decimal.value(word, 0, word.length);
    }
}
