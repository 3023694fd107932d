package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PersistVersionTest {

    private static final PersistVersion VERSION = new PersistVersion(1, 200, 255);

    @Test
    void shouldBeTheVersionOfThePom() {
        String pom = Docs.read("pom.xml");
        Matcher first = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertThat(first.find()).isTrue();
        assertThat(PersistVersion.NAME).isEqualTo(first.group(1)).startsWith(PersistVersion.CURRENT.toString());
    }

    /** Or a file would say nothing. */
    @Test
    void shouldFitItsBytesAndBeKnown() {
        ByteBuffer bytes = ByteBuffer.allocate(PersistVersion.LENGTH);
        PersistVersion.CURRENT.put(bytes, 0);
        assertThat(PersistVersion.get(bytes, 0))
                .isEqualTo(PersistVersion.CURRENT)
                .isNotEqualTo(PersistVersion.UNKNOWN);
    }

    @Test
    void shouldReadWhatItWrites() {
        ByteBuffer bytes = ByteBuffer.allocate(PersistVersion.LENGTH + 2);
        VERSION.put(bytes, 1);
        assertThat(bytes.array()).containsExactly(0, 1, 200, 255, 0);
        assertThat(PersistVersion.get(bytes, 1)).isEqualTo(VERSION);
    }

    @Test
    void shouldBeReadFromItsText() {
        for (PersistVersion version : List.of(VERSION, PersistVersion.CURRENT, PersistVersion.UNKNOWN)) {
            assertThat(PersistVersion.parse(version.toString())).isEqualTo(version);
        }
        for (String none : List.of("1", "1.2", "1.2.3.4", "1.2.-3", "1.2.3-SNAPSHOT", "1.2.1000", " 1.2.3", "a.b.c")) {
            assertThat(PersistVersion.parse(none)).as(none).isEqualTo(PersistVersion.UNKNOWN);
        }
    }

    @Test
    void shouldSayNothingWhereNothingIsKnown() {
        assertThat(PersistVersion.get(ByteBuffer.allocate(3), 0)).isEqualTo(PersistVersion.UNKNOWN);
        assertThat(PersistVersion.UNKNOWN).hasToString("");
        assertThat(PersistVersion.UNKNOWN.orLater()).isEqualTo("the version of Persist that wrote it");
        assertThat(VERSION).hasToString("1.200.255");
        assertThat(VERSION.orLater()).isEqualTo("Persist 1.200.255, which wrote it, or a later version");
    }
}
