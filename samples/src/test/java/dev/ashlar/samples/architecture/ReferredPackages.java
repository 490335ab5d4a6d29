// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages that a class file refers to, in its code as well as in its descriptors. */
final class ReferredPackages {

  private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([^;]+);");

  private ReferredPackages() {}

  static Set<String> of(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    Set<String> packages = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type when type.asInternalName().startsWith("[") ->
            addDescriptor(packages, type.asInternalName());
        case ClassEntry type -> addClass(packages, type.asInternalName());
        case NameAndTypeEntry member -> addDescriptor(packages, member.type().stringValue());
        case MethodTypeEntry type -> addDescriptor(packages, type.descriptor().stringValue());
        default -> {}
      }
    }
    model.fields().forEach(f -> addDescriptor(packages, f.fieldType().stringValue()));
    model.methods().forEach(m -> addDescriptor(packages, m.methodType().stringValue()));
    return packages;
  }

  private static void addDescriptor(Set<String> packages, String descriptor) {
    Matcher matcher = CLASS_IN_DESCRIPTOR.matcher(descriptor);
    while (matcher.find()) {
      addClass(packages, matcher.group(1));
    }
  }

  private static void addClass(Set<String> packages, String internalName) {
    int end = internalName.lastIndexOf('/');
    if (end > 0) {
      packages.add(internalName.substring(0, end).replace('/', '.'));
    }
  }
}
