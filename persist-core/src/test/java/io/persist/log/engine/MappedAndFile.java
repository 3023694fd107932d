package io.persist.log.engine;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.EnumSource;

/** The arguments {@link WriterKind#MAPPED} and {@link WriterKind#FILE_RW}: one of each {@code WriteMode}. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW"})
public @interface MappedAndFile {}
