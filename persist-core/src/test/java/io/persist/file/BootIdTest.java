package io.persist.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BootIdTest {

    @Test
    void shouldStayTheSame() {
        assertThat(BootId.current()).isEqualTo(BootId.current());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldBeKnownOnLinux() {
        assertThat(BootId.current()).isNotEqualTo(BootId.UNKNOWN);
    }
}
