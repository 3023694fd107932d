package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.BootId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RunningBootTest {

    @Test
    void shouldStayTheSame() {
        assertThat(RunningBoot.id()).isEqualTo(RunningBoot.id());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldBeKnownOnLinux() {
        assertThat(RunningBoot.id()).isNotEqualTo(BootId.UNKNOWN);
    }
}
