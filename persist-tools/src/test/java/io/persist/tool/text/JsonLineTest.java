package io.persist.tool.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.tool.Output;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonLineTest {

    @Test
    void shouldWriteWhatAParserReadsAgain() {
        ByteBuffer bytes = ByteBuffer.wrap("a\"b".getBytes(StandardCharsets.UTF_8));
        String line = JsonLine.of(json -> {
            json.name("text").value("a \"b\"\\c\n\t");
            json.name("number").value(Long.MIN_VALUE);
            json.name("constant").value(Output.TEXT);
            json.name("object").object(object -> object.name("is").value(true));
            json.name("hex").bytes(bytes.duplicate(), PayloadStyle.HEX);
            json.name("plain").bytes(bytes.duplicate(), PayloadStyle.TEXT);
            json.name("preview").bytes(bytes.duplicate(), PayloadStyle.PREVIEW);
            json.name("last").value("");
        });
        assertThat(line)
                .isEqualTo("{\"text\":\"a \\\"b\\\"\\\\c\\n\\t\",\"number\":-9223372036854775808,"
                        + "\"constant\":\"text\",\"object\":{\"is\":true},\"hex\":\"612262\","
                        + "\"plain\":\"a\\\"b\",\"preview\":\"\\\"a\\\\\\\"b\\\"\",\"last\":\"\"}");
        JsonObject read = JsonParser.parseString(line).getAsJsonObject();
        assertThat(read.get("text").getAsString()).isEqualTo("a \"b\"\\c\n\t");
    }

    /** A stream in any encoding can print it, and no terminal obeys it. */
    @Test
    void shouldBeInAsciiWithoutControls() {
        StringBuilder all = new StringBuilder();
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint += codePoint < 0x3000 ? 1 : 251) {
            all.appendCodePoint(codePoint);
        }
        String line = JsonLine.of(json -> json.name("\u00fc").value(all.toString()));
        assertThat(line.chars()).allMatch(c -> c >= ' ' && c < 0x7F);
        JsonObject read = JsonParser.parseString(line).getAsJsonObject();
        assertThat(read.get("\u00fc").getAsString()).isEqualTo(all.toString());
    }

    @Test
    void shouldPrintLongBytesInPieces() {
        byte[] payload = new byte[1_000_000];
        new Random(1).nextBytes(payload);
        int[] longest = new int[1];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8) {
            @Override
            public PrintStream append(CharSequence piece) {
                longest[0] = Math.max(longest[0], piece.length());
                return super.append(piece);
            }
        };
        JsonLine.print(out, json -> json.name("payload").bytes(ByteBuffer.wrap(payload), PayloadStyle.BASE64));
        String line = bytes.toString(StandardCharsets.UTF_8);
        assertThat(line).startsWith("{\"payload\":\"").endsWith("\"}\n");
        String encoded =
                JsonParser.parseString(line).getAsJsonObject().get("payload").getAsString();
        assertThat(Arrays.equals(Base64.getDecoder().decode(encoded), payload)).isTrue();
        assertThat(longest[0]).isBetween(1, 100_000);
    }
}
